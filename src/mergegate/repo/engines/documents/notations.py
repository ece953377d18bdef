"""Infrastructure that is neither YAML nor JSON, told by its content: one row a notation."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from mergegate.repo.engines.documents import apache, caddy, haproxy, ini, inventory, nginx, sshd
from mergegate.repo.facts.documents import DocumentKind, Node

SIZE_BUDGET = 1024 * 1024
"""Settings that people write are far smaller."""
_SUFFIXES = frozenset(
    {
        *(".conf", ".cfg", ".template", ".site", ".vhost", ".nginx", ".nginxconf"),
        *(".apache", ".apache2", ".caddy", ".caddyfile"),
    }
)
_INI = frozenset({".ini", ".inventory"})
_NAMES = frozenset(
    {
        *(".htaccess", "htaccess", "nginx", "apache", "apache2", "httpd", "vhost"),
        *("hosts", "inventory", "sshd_config", "caddyfile"),
    }
)
_FOLDERS = re.compile(r"(?:^|/)(?:(?:sites|conf|mods)-(?:available|enabled)|snippets)/")
_OF_PHP = re.compile(
    r"(?:^|/)(?:(?:php[\w.-]*|\.user)\.ini|(?:[\w.-]*php[\w.-]*/(?:[^/]+/)*|conf\.d/)[\w.-]+\.ini)"
    r"(?:-\w+)?$",
    re.IGNORECASE,
)

_NGINX_ONLY = (
    rb"(?:(?:ssl_protocols|ssl_ciphers|ssl_certificate|proxy_pass|proxy_set_header|resolver"
    rb"|server_tokens|fastcgi_pass|uwsgi_pass|server_name|proxy_http_version|error_log|access_log"
    rb"|ssl_stapling|ssl_ecdh_curve|proxy_buffering|keepalive_requests|worker_connections"
    rb"|worker_processes|try_files|client_max_body_size|set_real_ip_from|limit_req|merge_slashes"
    rb"|ssl_prefer_server_ciphers|ssl_session_tickets|ssl_session_cache|ssl_verify_client"
    rb"|autoindex|ignore_invalid_headers|underscores_in_headers)[ \t]+[^;\s=][^;\n]*;"
    rb"|(?:add_header|more_set_headers|valid_referers)\s+[^;\s={}][^;{}]{0,4096};)"
)


@dataclass(frozen=True, slots=True)
class Notation:
    """How the settings of a program are told from all others, and read."""

    kind: DocumentKind
    signs: re.Pattern[bytes]
    """What the bytes of every such file hold."""
    sure: re.Pattern[bytes]
    """What only such a file holds: then one that cannot be read is named."""
    read: Callable[[str], Node]
    """Raises Unreadable."""
    known: bytes
    """The smallest one, which proves before each scan that the notation is read."""
    in_ini: bool = False
    """Whether files that are called INI are looked at, as which many programs have settings."""


NOTATIONS = (
    Notation(
        DocumentKind.ANSIBLE_SETTINGS,
        re.compile(
            rb"(?m)^\[(?:defaults|galaxy|ssh_connection|privilege_escalation)\][ \t\r]*(?:[#;].*)?$"
        ),
        re.compile(rb"(?m)^(?:host_key_checking|roles_path|ansible_managed)[ \t]*="),
        ini.read,
        b"[defaults]\na = b\n",
    ),
    Notation(
        DocumentKind.HAPROXY,
        re.compile(
            rb"(?m)^(?:frontend|backend|listen)[ \t]+[\w.:-]+[ \t]*(?:#.*)?\r?\n"
            rb"(?:[ \t]*(?:#[^\n]*)?\n){0,20}[ \t]*(?:bind|mode|server|balance|option|acl|stats"
            rb"|timeout|default_backend|use_backend|http-request|log|description|maxconn|redirect)\b"
            rb"|^[ \t]*ssl-default-(?:bind|server)-(?:options|ciphers)[ \t]"
        ),
        re.compile(rb"(?m)^(?:frontend|backend)[ \t]+[\w.:-]+[ \t]*\r?$"),
        haproxy.read,
        b"frontend a\n  bind :80\n",
    ),
    Notation(
        DocumentKind.CADDY,
        re.compile(
            rb"(?m)^[ \t]*(?:reverse_proxy[ \t]+[^\s=;]+[^;\n]*$"
            rb"|file_server(?:[ \t]+browse)?[ \t]*\{?[ \t\r]*$|php_fastcgi[ \t]+[^;\n]+$"
            rb"|auto_https[ \t]+\w+[ \t\r]*$|handle_path[ \t]+[^;\n]+\{[ \t\r]*$"
            rb"|encode[ \t]+(?:gzip|zstd)[^;\n]*$|on_demand_tls[ \t]*\{"
            rb"|admin[ \t]+(?:off|[\w.:\[\]]*:\d+)[ \t\r]*$)"
        ),
        re.compile(rb"(?m)^[ \t]*(?:reverse_proxy|file_server|php_fastcgi)\b[^;=\n]*$"),
        caddy.read,
        b":80 {\n  file_server\n}\n",
    ),
    Notation(
        DocumentKind.SSHD,
        re.compile(
            rb"(?mi)^[ \t]*(?:PermitRootLogin|PermitEmptyPasswords|AuthorizedKeysFile|StrictModes"
            rb"|PermitUserEnvironment|IgnoreRhosts|X11Forwarding|ClientAliveInterval|MaxAuthTries"
            rb"|LoginGraceTime|UsePrivilegeSeparation)[ \t]+[\w%./]"
        ),
        re.compile(rb"(?mi)^[ \t]*PermitRootLogin[ \t]+[\w-]+[ \t\r]*$"),
        sshd.read,
        b"PermitRootLogin no\n",
    ),
    Notation(
        DocumentKind.PHP,
        re.compile(
            rb"(?mi)^[ \t]*(?:allow_url_(?:include|fopen)|display_(?:startup_)?errors|expose_php"
            rb"|disable_functions|open_basedir|memory_limit|upload_max_filesize|post_max_size"
            rb"|max_execution_time|session\.\w+|xdebug\.\w+|opcache\.\w+|zend_extension|extension"
            rb"|enable_dl|cgi\.fix_pathinfo|zend\.assertions|date\.timezone|error_reporting)[ \t]*="
        ),
        re.compile(rb"(?mi)^[ \t]*(?:expose_php|allow_url_include)[ \t]*="),
        ini.read,
        b"expose_php = Off\n",
        in_ini=True,
    ),
    Notation(
        DocumentKind.APACHE,
        re.compile(
            rb"(?mi)^[ \t]*(?:<(?:VirtualHost|(?:Directory|Location|Files)(?:Match)?"
            rb"|IfModule|IfVersion|Proxy|RequireAll|Limit)[ \t>]"
            rb"|(?:RewriteEngine|ServerTokens|ServerSignature|SSLProtocol|SSLCipherSuite"
            rb"|TraceEnable|AllowOverride|SSLEngine|Order|Require|AuthType)[ \t]+[\w+-][^;{}=\n]*$"
            rb"|(?:Options|Header|LoadModule|DirectoryIndex|RewriteRule|RewriteCond|Alias"
            rb"|ErrorDocument|php_flag|php_value|SetEnvIf|ProxyPass|AddType|AddHandler|ServerRoot"
            rb"|Deny[ \t]+from|Allow[ \t]+from)[ \t]+[^;{}=\s][^\n;{}]*$)"
        ),
        re.compile(rb"(?mi)^[ \t]*<(?:VirtualHost|Directory|IfModule[ \t]+\"?mod_)[^\n]*>"),
        apache.read,
        b"<Directory />\n  Require all denied\n</Directory>\n",
    ),
    Notation(
        DocumentKind.NGINX,
        re.compile(
            rb"(?m)(?:^|[;{}])[ \t]*(?:(?:server|http|events|stream)[ \t\r\n]*\{"
            rb"|location[ \t]+(?:[=~^*@]+[ \t]*)?[^\s{}]+[ \t\r\n]*\{"
            rb"|upstream[ \t]+[\w.-]+[ \t\r\n]*\{"
            rb"|%s)" % _NGINX_ONLY
        ),
        re.compile(rb"(?m)(?:^|[;{}])[ \t]*%s" % _NGINX_ONLY),
        nginx.read,
        b"server {\n  listen 80;\n}\n",
    ),
    Notation(
        DocumentKind.ANSIBLE_INVENTORY,
        re.compile(
            rb"(?m)^[^#;\n]*?\bansible_(?:host|user|port|connection|password|network_os|ssh_\w+"
            rb"|become\w*|winrm_\w+|psrp_\w+|httpapi_\w+|python_interpreter"
            rb"|host_key_checking)[ \t]*="
        ),
        re.compile(rb"(?m)^\[[\w.-]+(?::(?:vars|children))?\]"),
        inventory.read,
        b"[a]\nb ansible_user=c\n",
        in_ini=True,
    ),
)


def may_be(path: str, suffix: str) -> bool:
    """Whether a file's name lets settings of one of the programs be expected."""
    name = path.rpartition("/")[2].lower()
    by_name = suffix in _SUFFIXES | _INI or name in _NAMES
    return by_name or any(one.search(path) is not None for one in (_FOLDERS, _OF_PHP))


def notation_of(content: bytes, suffix: str = "") -> Notation | None:
    """The notation in which the settings are, as their signs tell it; None where there is none."""
    rows = (one for one in NOTATIONS if one.in_ini or suffix not in _INI)
    return next((one for one in rows if one.signs.search(content)), None)

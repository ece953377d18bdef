"""The stage that a deployment of API Gateway makes by itself, in the words of a stage's own."""

from typing import Final

from mergegate.repo.facts.documents import ABSENT, Form, Node

KIND: Final = "AWS::ApiGateway::Stage"
_DEPLOYMENT: Final = "AWS::ApiGateway::Deployment"
_OF_METHODS: Final = frozenset(
    {
        "CacheDataEncrypted",
        "CacheTtlInSeconds",
        "CachingEnabled",
        "DataTraceEnabled",
        "LoggingLevel",
        "MetricsEnabled",
        "ThrottlingBurstLimit",
        "ThrottlingRateLimit",
    }
)
"""What a description says of every method, and a stage says in the settings of its methods."""
_EVERY_METHOD: Final = {"HttpMethod": "*", "ResourcePath": "/*"}


def deployed(node: Node) -> Node:
    """The properties of the stage that a resource makes; absent where it makes none.

    Only a deployment that names a stage makes one, and none is told of where a condition
    decides what it is like.
    """
    properties = node["Properties"]
    name, said = properties["StageName"], properties["StageDescription"]
    is_plain = not said.tag and not any(key.startswith("Fn::") for key in said.keys)
    if node["Type"].text != _DEPLOYMENT or not name.present or not is_plain:
        return ABSENT
    told = {key: value for key, value in said.entries if key not in _OF_METHODS}
    told |= {"RestApiId": properties["RestApiId"], "StageName": name}
    of_methods = {key: value for key, value in said.entries if key in _OF_METHODS}
    if of_methods:
        every = {key: Node(said.line, text=text) for key, text in _EVERY_METHOD.items()}
        shared = _map(said.line, every | of_methods)
        own = said["MethodSettings"].items
        told["MethodSettings"] = Node(said.line, Form.LIST, children=(shared, *own))
    return _map(said.line or node.line, told)


def _map(line: int, entries: dict[str, Node]) -> Node:
    return Node(line, Form.MAP, keys=tuple(entries), children=tuple(entries.values()))

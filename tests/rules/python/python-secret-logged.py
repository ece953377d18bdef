import logging

logger = logging.getLogger(__name__)


def login(name, password, settings):
    # ruleid: python-secret-logged
    logger.info("login %s with %s", name, password)
    # ruleid: python-secret-logged
    logger.debug(f"key {settings.api_key}")
    # ruleid: python-secret-logged
    logging.warning("token %s", settings.access_token)


def login_well(name, password, settings):
    # ok: python-secret-logged
    logger.info("login %s", name)
    # ok: python-secret-logged
    logger.info("password changed")
    # ok: python-secret-logged
    logger.info("password of %d characters", len(password))
    # ok: python-secret-logged
    logger.info("checked %s", settings.password_policy)

"""Which provider a repository is fetched from, as the account is connected at that moment."""

from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.api.problems import Code, Refusal, invalid
from mergegate.host.store import connections


async def chosen_provider(connection: AsyncConnection, account_id: str, wanted: str | None) -> str:
    """``wanted``, or the only one; raises Refusal when it is not connected or not clear."""
    found = await connections.providers(connection, account_id)
    if wanted is None and len(found) > 1:
        raise invalid("provider", "the account has several connections: say which one")
    for one in found:
        if wanted is None or wanted == one:
            return one.value
    raise Refusal(
        Code.PROVIDER_NOT_CONNECTED,
        "Connect the account with the provider of the repository in the settings first.",
    )

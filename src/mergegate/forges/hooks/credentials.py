"""What a hook is kept with: the secret that deliveries prove to know, and who answers them."""

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mergegate.core.errors import StoreError


class App(BaseModel):
    """A GitHub App, as which answers are given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: int = Field(gt=0)
    private_key: str = Field(repr=False)
    """PEM, as GitHub hands it out."""
    base_url: str = "https://github.com"
    """Where people see the server."""


class Credentials(BaseModel):
    """Sealed as a whole before they are stored."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    secret: str = Field(min_length=1, repr=False)
    app: App | None = None
    """None: the account's connection with the provider answers."""

    def text(self) -> str:
        """What is sealed."""
        return self.model_dump_json(exclude_none=True)

    @classmethod
    def of(cls, text: str) -> Self:
        """What :meth:`text` said; raises StoreError."""
        try:
            return cls.model_validate_json(text)
        except ValidationError:
            raise StoreError(
                "the stored credentials of a hook cannot be read", remedy="Add the hook again."
            ) from None

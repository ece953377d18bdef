"""What Google asks of each type of schema.org before it shows a rich result.

After the pages of Google's gallery of structured data that each demand names. FAQ results ended in
May 2026: what stands here of questions is what schema.org itself needs to make sense of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mergegate.core.severity import Severity
from mergegate.site.seo.checks.point import GOOGLE

_GALLERY = f"{GOOGLE}/appearance/structured-data"
AnyOf = tuple[str, ...]
"""Names of properties, of which one is enough; ``item.name`` is a property of the thing held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What a type needs."""

    required: tuple[AnyOf, ...] = ()
    recommended: tuple[AnyOf, ...] = ()
    within: tuple[str, ...] = ()
    """Properties whose things are judged too, by :data:`PARTS`."""
    alone: tuple[AnyOf, ...] = ()
    """What it needs besides where it stands by itself, not within another thing."""
    severity: Severity = Severity.MEDIUM
    """Of what is required and missing."""
    source: str


_RATED = ("aggregateRating", "review")
_REVIEW = f"{_GALLERY}/review-snippet"
_VARIANTS = f"{_GALLERY}/product-variants"

DEMANDS: Mapping[str, Demand] = {
    "Article": Demand(
        recommended=(("headline",), ("image",), ("datePublished",), ("author",)),
        source=f"{_GALLERY}/article",
    ),
    "Product": Demand(
        required=(("name",), ("offers", "review", "aggregateRating")),
        recommended=(("image",), ("description",), ("brand",)),
        within=("offers", *_RATED),
        source=f"{_GALLERY}/product-snippet",
    ),
    "ProductGroup": Demand(
        required=(("name",),),
        recommended=(("hasVariant",), ("productGroupID",)),
        within=("hasVariant", *_RATED),
        source=_VARIANTS,
    ),
    "BreadcrumbList": Demand(
        required=(("itemListElement",),),
        within=("itemListElement",),
        source=f"{_GALLERY}/breadcrumb",
    ),
    "FAQPage": Demand(
        required=(("mainEntity",),),
        within=("mainEntity",),
        severity=Severity.LOW,
        source="https://schema.org/FAQPage",
    ),
    "QAPage": Demand(
        required=(("mainEntity",),), within=("mainEntity",), source=f"{_GALLERY}/qapage"
    ),
    "Organization": Demand(
        recommended=(("name",), ("url",), ("logo",)),
        within=_RATED,
        source=f"{_GALLERY}/organization",
    ),
    "LocalBusiness": Demand(
        required=(("name",), ("address",)),
        recommended=(
            ("telephone",), ("openingHoursSpecification", "openingHours"), ("url",),
        ),
        within=_RATED,
        source=f"{_GALLERY}/local-business",
    ),
    "Recipe": Demand(
        required=(("name",), ("image",)),
        recommended=(("author",), ("recipeIngredient",), ("recipeInstructions",), ("totalTime",)),
        within=_RATED,
        source=f"{_GALLERY}/recipe",
    ),
    "Event": Demand(
        required=(("name",), ("startDate",), ("location",)),
        recommended=(("endDate",), ("description",), ("image",)),
        within=("location",),
        source=f"{_GALLERY}/event",
    ),
    "VideoObject": Demand(
        required=(("name",), ("thumbnailUrl",), ("uploadDate",)),
        recommended=(("contentUrl", "embedUrl"), ("description",), ("duration",)),
        source=f"{_GALLERY}/video",
    ),
    "JobPosting": Demand(
        required=(
            ("title",), ("description",), ("datePosted",), ("hiringOrganization",),
            ("jobLocation.address", "applicantLocationRequirements"),
        ),
        recommended=(("validThrough",), ("baseSalary",), ("employmentType",)),
        source=f"{_GALLERY}/job-posting",
    ),
    "Course": Demand(
        required=(("name",), ("description",)),
        recommended=(("provider",),),
        source=f"{_GALLERY}/course",
    ),
    "SoftwareApplication": Demand(
        required=(("name",), ("offers",), _RATED),
        recommended=(("applicationCategory",), ("operatingSystem",)),
        within=("offers", *_RATED),
        # Without a rating the markup is honest; it only earns no stars.
        severity=Severity.LOW,
        source=f"{_GALLERY}/software-app",
    ),
    "Person": Demand(
        required=(("name",),), severity=Severity.LOW, source="https://schema.org/Person"
    ),
    "ProfilePage": Demand(required=(("mainEntity",),), source=f"{_GALLERY}/profile-page"),
    "WebSite": Demand(
        required=(("name",), ("url",)),
        severity=Severity.LOW,
        source=f"{GOOGLE}/appearance/site-names",
    ),
}  # fmt: skip
"""Of things that stand by themselves."""

PARTS: Mapping[str, Demand] = {
    "Offer": Demand(
        required=(("price", "priceSpecification"),),
        recommended=(("priceCurrency", "priceSpecification"), ("availability",)),
        source=f"{_GALLERY}/product-snippet",
    ),
    # A variant; of one that has a page of its own its address is enough.
    "Product": Demand(
        required=(("name", "url"), ("offers", "review", "aggregateRating", "url")),
        within=("offers", *_RATED),
        source=_VARIANTS,
    ),
    "AggregateOffer": Demand(
        required=(("lowPrice",), ("priceCurrency",)), source=f"{_GALLERY}/product-snippet"
    ),
    "AggregateRating": Demand(
        required=(("ratingValue",), ("ratingCount", "reviewCount")),
        alone=(("itemReviewed",),),
        source=_REVIEW,
    ),
    "Review": Demand(
        required=(("author",), ("reviewRating.ratingValue",)),
        alone=(("itemReviewed",),),
        source=_REVIEW,
    ),
    "ListItem": Demand(
        required=(("position",), ("name", "item.name")), source=f"{_GALLERY}/breadcrumb"
    ),
    "Question": Demand(
        required=(("name", "text"), ("acceptedAnswer", "suggestedAnswer")),
        within=("acceptedAnswer",),
        severity=Severity.LOW,
        source="https://schema.org/Question",
    ),
    "Answer": Demand(
        required=(("text",),), severity=Severity.LOW, source="https://schema.org/Answer"
    ),
    "Place": Demand(required=(("address",),), source=f"{_GALLERY}/event"),
    "VirtualLocation": Demand(required=(("url",),), source="https://schema.org/VirtualLocation"),
}
"""Of things that belong to others."""

_KINDS: Mapping[str, str] = {
    "Article": "NewsArticle BlogPosting TechArticle ScholarlyArticle Report SocialMediaPosting "
    "AdvertiserContentArticle SatiricalArticle AnalysisNewsArticle OpinionNewsArticle "
    "ReportageNewsArticle ReviewNewsArticle BackgroundNewsArticle LiveBlogPosting",
    "Product": "IndividualProduct ProductModel SomeProducts Vehicle Car",
    "Organization": "Corporation NGO EducationalOrganization CollegeOrUniversity School "
    "GovernmentOrganization NewsMediaOrganization OnlineBusiness OnlineStore "
    "SportsOrganization SportsTeam PerformingGroup MusicGroup ResearchOrganization Project "
    "MedicalOrganization LibrarySystem Consortium Airline WorkersUnion",
    "LocalBusiness": "Restaurant CafeOrCoffeeShop BarOrPub Bakery FastFoodRestaurant Winery "
    "Store ClothingStore BookStore ElectronicsStore FurnitureStore GroceryStore HardwareStore "
    "JewelryStore PetStore ShoeStore ToyStore BikeStore Florist AutoRepair AutoDealer "
    "GasStation Dentist Physician Pharmacy Hospital MedicalClinic VeterinaryCare Optician "
    "Hotel Motel Hostel BedAndBreakfast Resort LodgingBusiness Campground LegalService "
    "Attorney Notary AccountingService FinancialService BankOrCreditUnion InsuranceAgency "
    "RealEstateAgent TravelAgency HairSalon BeautySalon NailSalon DaySpa HealthClub "
    "ExerciseGym Plumber Electrician HVACBusiness RoofingContractor GeneralContractor "
    "HousePainter Locksmith MovingCompany ProfessionalService HomeAndConstructionBusiness "
    "FoodEstablishment HealthAndBeautyBusiness EntertainmentBusiness SportsActivityLocation "
    "ChildCare DryCleaningOrLaundry EmploymentAgency Library MedicalBusiness SelfStorage "
    "ShoppingCenter TouristInformationCenter AutomotiveBusiness EmergencyService",
    "Event": "BusinessEvent ChildrensEvent ComedyEvent DanceEvent EducationEvent "
    "ExhibitionEvent Festival FoodEvent Hackathon LiteraryEvent MusicEvent ScreeningEvent "
    "SocialEvent SportsEvent TheaterEvent VisualArtsEvent",
    "SoftwareApplication": "MobileApplication WebApplication",
    "Review": "CriticReview EmployerReview UserReview",
    "AggregateRating": "EmployerAggregateRating",
    "Place": "EventVenue StadiumOrArena MusicVenue CivicStructure LandmarksOrHistoricalBuildings",
}  # fmt: skip
"""Kinds that the demands on the first word hold for; a course's run is no event to Google."""
FAMILY: Mapping[str, str] = {
    **{name: name for name in (*DEMANDS, *PARTS)},
    **{kind: family for family, kinds in _KINDS.items() for kind in kinds.split()},
}
"""Which demands hold for a type; those that are not here are not judged."""
EXAMPLES: Mapping[str, str] = {
    "offers": '{"@type": "Offer", "price": "19.90", "priceCurrency": "EUR"}',
    "aggregateRating": '{"@type": "AggregateRating", "ratingValue": "4.4", "ratingCount": "89"}',
    "author": '{"@type": "Person", "name": "…", "url": "https://…"}',
    "address": '{"@type": "PostalAddress", "streetAddress": "…", "addressLocality": "…"}',
    "location": '{"@type": "Place", "name": "…", "address": "…"}',
    "jobLocation": '{"@type": "Place", "address": {"@type": "PostalAddress"}}',
    "hiringOrganization": '{"@type": "Organization", "name": "…"}',
    "provider": '{"@type": "Organization", "name": "…"}',
    "hasVariant": '[{"@type": "Product", "name": "…", "offers": {"@type": "Offer"}}]',
    "brand": '{"@type": "Brand", "name": "…"}',
    "acceptedAnswer": '{"@type": "Answer", "text": "…"}',
    "itemReviewed": '{"@type": "Product", "name": "…"}',
    "mainEntity": '{"@type": "…"}',
    "itemListElement": '[{"@type": "ListItem", "position": 1, "name": "…", "item": "https://…"}]',
    "reviewRating": '{"@type": "Rating", "ratingValue": "4"}',
    "datePublished": '"2026-01-31T08:00:00+00:00"',
    "datePosted": '"2026-01-31"',
    "uploadDate": '"2026-01-31T08:00:00+00:00"',
    "startDate": '"2026-01-31T19:00:00+00:00"',
    "endDate": '"2026-01-31T22:00:00+00:00"',
    "validThrough": '"2026-03-31"',
    "image": '"https://…"',
    "logo": '"https://…"',
    "url": '"https://…"',
    "thumbnailUrl": '"https://…"',
    "contentUrl": '"https://…"',
    "position": "1",
}
"""How a property may be written in JSON-LD."""

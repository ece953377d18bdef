"""Words that say nothing of what a text is about, the most frequent ones of some languages."""

from collections.abc import Mapping

_LISTS: Mapping[str, str] = {
    "en": """
        a about after again all also am an and any are as at be because been before being but by
        can could did do does doing down each even every few first for from further get give go
        got had has have having he her here hers him his how i if in into is it its just keep
        let like made make many may me might more most much must my new no nor not now of off on
        once one only or other our out over own per put said same see shall she should so some
        such take than that the their them then there these they this those through to too two
        under until up upon us use used using very via was way we well were what when where
        which while who whom why will with within without would you your
    """,
    "de": """
        ab aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim
        bin bis bist da dabei damit dann daran das dass dazu dein deine dem den denn der des
        dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem
        einen einer eines er es etwas euch euer für gegen hab habe haben hat hatte hier hinter
        ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem jeden
        jeder jedes kann kein keine können man mehr mein meine mich mir mit muss nach nicht
        nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind
        so solche soll sollte sondern über um und uns unser unsere unter viel vom von vor war
        waren was weil weiter welche wenn wer werden wie wieder will wir wird wo wurde wurden zu
        zum zur zwischen
    """,
    "fr": """
        à afin ai ainsi alors après as au aucun aussi autre autres aux avant avec avez avoir c
        ce ceci cela celle celui ces cet cette ceux chaque chez comme d dans de des deux donc
        dont du elle elles en encore entre es est et étaient était être eu fait faire fois ici
        il ils j je jusque l la le les leur leurs lors lui m ma mais me même mes moi moins mon n
        ne ni nos notre nous on ont ou où par parce pas peu peut plus pour pourquoi qu quand que
        quel quelle quelles quels qui s sa sans se sera ses si soit son sont sous sur t ta te
        tes toi ton tous tout toute toutes très tu un une vers vos votre vous y
    """,
    "es": """
        a al algo algunas algunos ante antes aquí así aun aunque bien cada como con contra cual
        cuando de del desde donde dos durante e el él ella ellas ellos en entre era eran es esa
        esas ese eso esos esta está están estas este esto estos fue fueron ha hace hacer han has
        hasta hay la las le les lo los más me mi mis mismo mucho muy nada ni no nos nosotros o
        os otra otras otro otros para pero poco por porque pues puede que qué quien se sea ser
        si sí sin sobre son su sus también tan tanto te tiene tienen todo todos tu tus un una
        uno unos y ya yo
    """,
    "it": """
        a ad agli ai al alla alle allo anche ancora avere c che chi ci come con contro cosa cui
        d da dagli dai dal dalla dalle degli dei del dell della delle dello di dopo dove due e è
        ed era essere fa fra fino gli ha hai hanno ho i il in io l la le lei lo loro lui ma mi
        mia mio molto ne negli nei nel nella nelle no noi non nostro o ogni per perché però più
        poi prima può qual quale quali quando quanto quella quelle quelli quello questa queste
        questi questo qui s se sei senza si sia sono sopra sotto sta stato su sua sue sui sul
        sulla suo suoi tra tu tua tuo tutti tutto un una uno vi voi vostro
    """,
    "nl": """
        aan al alle alleen als altijd andere ben bij d daar dan dat de der deze die dit door dus
        een eens en er ge geen haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik
        in is ja je jij jouw jullie kan kon kunnen maar me meer men met mij mijn moet moeten na
        naar niet niets nog nu of om omdat onder ons onze ook op over te tegen toch toen tot
        tussen u uit uw van veel voor waar wanneer want waren was wat we wel werd wie wij wil
        worden wordt zal ze zelf zich zij zijn zo zonder zou
    """,
    "pt": """
        a à ainda ao aos apenas após aquela aquele aquilo as às assim até cada com como da das
        de dela dele deles depois desde dessa desse desta deste do dois dos e é ela elas ele
        eles em entre era essa essas esse esses esta está estão estas este estes eu foi foram há
        isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós nossa nosso
        num numa o os ou outra outro para pela pelas pelo pelos pode por porque qual quando que
        quem são se sem ser seu seus só sobre sua suas também te tem têm ter teu toda todas todo
        todos tu tua tudo um uma umas uns você vocês vos
    """,
    "pl": """
        a aby ale ani bardzo bez bo być był była było były ci co czy dla do dlatego go gdy gdzie
        i ich ile im ja jak jako je jego jej jest jeszcze jeśli już każdy kiedy kto która które
        którego której który których którzy lub ma mają mi między mnie może można mu my na nad
        nam nas nasz nie niż no o od on ona one oni oraz po pod podczas poza przed przez przy są
        się sobie swoje ta tak także tam te tego tej ten teraz też to tu tych tylko tym w we wie
        wszystko wy z za ze że
    """,
    "sv": """
        alla allt att av bara blev bli blir då de dem den denna deras dess det detta dig din
        dina ditt du efter eller en ett för från gör hade han hans har hon honom hur i icke in
        ingen inte är ja jag kan kunde man med mellan men mer mig min mina mitt mot mycket någon
        något när ni nu och om oss på så sådan sedan sig sin sina sitt ska skulle som till under
        upp ut utan vad var vara varför vem vi vid vill vår våra åt över
    """,
    "da": """
        af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din
        dog du efter eller en end er et for fordi fra få før ham han hans har havde have hende
        hendes her hos hun hvad hvis hvor i ikke ind jeg jer kan kun kunne man mange med meget
        men mig min mod når ned nogle noget nu og også om op os over på sig sin skal skulle som
        til ud under var vi vil være vores
    """,
    "no": """
        av alle alt at bare ble bli blir da de dem den denne der deres det dette deg din du
        eller en enn er et etter for fordi fra før ha hadde han hans har henne her hos hun hva
        hvis hvor hvordan i ikke inn jeg kan kun kunne man mange med meg meget mellom men mer
        min mot når ned noe noen nå og også om opp oss over på seg selv sin skal skulle som så
        til ut under var ved vi vil være vår
    """,
    "ru": """
        а без бы был была были было быть в вам вас весь во вот все всё всех вы где да даже для
        до его ее её если есть еще ещё же за здесь и из или им их к как какой когда кто ли либо
        мне может можно мой мы на над надо нас не него нет ни но о об однако он она они оно от
        очень по под после потом потому при с свой себя со так также там тем то того тоже только
        том тот ты у уже хотя чего чей чем что чтобы чьё эта эти это этого этой этот я
    """,
}
STOP_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split()) for language, words in _LISTS.items()
}
"""By the two letters of the language; in the form in which words are compared."""
ANY = frozenset().union(*STOP_WORDS.values())
"""Those of all: for texts of which the language is not known."""


def of(language: str) -> frozenset[str]:
    """Those of ``language``; of all languages, when there is no list for it."""
    return STOP_WORDS.get(language, ANY)

from lxml import etree


def parser():
    # ruleid: python-lxml-resolve-entities
    first = etree.XMLParser(resolve_entities=True)
    # ruleid: python-lxml-resolve-entities
    return first, etree.XMLParser(load_dtd=True, no_network=False)


def strict_parser():
    # ok: python-lxml-resolve-entities
    first = etree.XMLParser(resolve_entities=False)
    # ok: python-lxml-resolve-entities
    return first, etree.XMLParser(remove_blank_text=True, no_network=True)

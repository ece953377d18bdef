import xml.sax
from xml.sax.handler import feature_external_ges, feature_external_pes, feature_namespaces


def parser():
    reader = xml.sax.make_parser()
    # ruleid: python-sax-external-entities
    reader.setFeature(feature_external_ges, False)
    # ruleid: python-sax-external-entities
    reader.setFeature(xml.sax.handler.feature_external_pes, False)
    return reader


def strict_parser():
    reader = xml.sax.make_parser()
    # ok: python-sax-external-entities
    reader.setFeature(feature_external_ges, False)
    # ok: python-sax-external-entities
    reader.setFeature(feature_namespaces, True)
    return reader

"""The manifest of a package of QTI 1.2, by which Canvas finds the quiz and what belongs to it."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"


def manifest(name: str) -> str:
    """The manifest of the quiz with this id."""
    document, meta = quoteattr(f"{name}/{name}.xml"), quoteattr(f"{name}/assessment_meta.xml")
    return (
        f'{HEAD}<manifest xmlns="{_PACKAGE}" identifier="manifest">'
        "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>"
        "<organizations/><resources>"
        f'<resource identifier={quoteattr(name)} type="imsqti_xmlv1p2"><file href={document}/>'
        '<dependency identifierref="meta"/></resource>'
        '<resource identifier="meta" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" '
        f"href={meta}><file href={meta}/></resource></resources></manifest>\n"
    )

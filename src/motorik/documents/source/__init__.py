"""Source of documents: Python out of a document and back, MOBILE programs out of chains.

==============  ==============================================================================
`writing`       `write_source`: a class on `Model` that reads as if written by hand
`reading`       `read_source`: a document from source by parsing, never executing it
`expressions`   values of documents as expressions of Python
`order`         parts in groups, connections from the world outwards
`rest`          the difference of both, such as places in the diagram, at the end of the file
==============  ==============================================================================

What is written is read back as the same document. Source of users is read as far as it is plain;
the rest is kept as text with its place, shown, and written again.
"""

from motorik.documents.source.reading import read_source
from motorik.documents.source.writing import write_source

__all__ = ["read_source", "write_source"]

"""Documents: models as data that can be read, changed, saved and built again.

=============  =================================================================================
`document`     `Document`, `load_document`
`reading`      JSON of any origin to data of known shape, and what was lost; writing
`values`       values of JSON to arguments of parts and back; `formulas` as data
`building`     the `Model` of a document, anew for each revision, with located faults
`taking`       the document of a `Model`
`operations`   the edits of a user, as `changes` with exact inverses; `history`: undo and redo
`classes`      classes by public names; `catalogue`: all of them, described
=============  =================================================================================

A document is data, never code: reading and building one imports nothing that was not named as
trusted, opens no other file and executes no text.
"""

from motorik.documents.building import Built
from motorik.documents.diagnostics import Diagnostic
from motorik.documents.document import Document, load_document
from motorik.documents.history import Edit, EditHistory

__all__ = ["Built", "Diagnostic", "Document", "Edit", "EditHistory", "load_document"]

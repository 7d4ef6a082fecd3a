"""GCF as text for language models: any object by the generic profile.

>>> from wire_formats import gcf
>>> text = gcf.dumps({"users": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]})
>>> gcf.loads(text)
{'users': [{'id': 1, 'name': 'Ann'}, {'id': 2, 'name': 'Bo'}]}
"""

from .. import _errors
from .._wire_formats import gcf as _native

Error, OutOfRangeError = _errors.CLASSES["gcf"]
dumps = _native.dumps
loads = _native.loads

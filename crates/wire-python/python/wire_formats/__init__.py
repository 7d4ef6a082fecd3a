from . import gcf
from ._errors import Error

"""A tus server by tuspyserver. Uploaded files are stored in TUS_FILES."""
import os

from fastapi import FastAPI
from tuspyserver import create_tus_router

app = FastAPI()
app.include_router(create_tus_router(prefix="files", files_dir=os.environ["TUS_FILES"]))

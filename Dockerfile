# docker build -t maumau .        docs/hosting.md says how to run it

FROM python:3.11-slim AS build
RUN pip install --no-cache-dir uv==0.13.9
WORKDIR /build
COPY pyproject.toml uv.lock ./
# The locked packages, without those that the laboratory alone needs: they are three quarters of the size.
RUN uv export --quiet --frozen --no-dev --no-emit-project --no-emit-package numpy --no-emit-package llvmlite -o locked.txt
COPY README.md LICENSE ./
COPY src src
RUN uv build --wheel

FROM python:3.11-slim
RUN useradd --create-home maumau && install -d -o maumau -m 700 /data
# Packages first: what comes below changes with the source, and they do not.
COPY --from=build /build/locked.txt /tmp/
RUN pip install --no-cache-dir --require-hashes -r /tmp/locked.txt
COPY --from=build /build/dist /tmp/dist
RUN pip install --no-cache-dir --no-deps /tmp/dist/*.whl
USER maumau
VOLUME /data
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=3)"]
CMD ["maumau", "serve", "--host", "0.0.0.0", "--port", "8000", "--data", "/data"]

FROM python:3.12.3
# ruleid: dockerfile-pip-trusted-host
RUN pip install --trusted-host packages.example.org tool
# ruleid: dockerfile-pip-trusted-host
ENV PIP_TRUSTED_HOST=packages.example.org
# ruleid: dockerfile-pip-trusted-host
RUN pip3 config set global.trusted-host packages.example.org
# ok: dockerfile-pip-trusted-host
RUN pip install --no-cache-dir tool
# ok: dockerfile-pip-trusted-host
RUN echo trusted-host
# ruleid: dockerfile-pip-trusted-host
RUN pip install \
    --trusted-host packages.example.org \
    tool

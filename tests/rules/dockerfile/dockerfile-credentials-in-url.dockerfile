FROM debian:12.5
# ruleid: dockerfile-credentials-in-url
RUN git clone https://bot:no-real-token@git.example.org/a.git
# ruleid: dockerfile-credentials-in-url
RUN pip install --index-url https://ci:no-real-token@packages.example.org/simple tool
# ok: dockerfile-credentials-in-url
RUN git clone https://git.example.org/a.git
# ok: dockerfile-credentials-in-url
RUN git clone https://bot:${TOKEN}@git.example.org/a.git
# ok: dockerfile-credentials-in-url
RUN pip install "tool@https://packages.example.org/tool.whl"

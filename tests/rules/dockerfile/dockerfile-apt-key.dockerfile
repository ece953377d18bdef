FROM debian:11.9
# ruleid: dockerfile-apt-key
RUN curl -fsSL https://example.org/key.asc | apt-key add -
# ruleid: dockerfile-apt-key
RUN apt-key adv --keyserver keyserver.example.org --recv-keys 0123456789ABCDEF
# ok: dockerfile-apt-key
RUN curl -fsSL https://example.org/key.asc | gpg --dearmor -o /etc/apt/keyrings/a.gpg
# ok: dockerfile-apt-key
RUN apt-key list

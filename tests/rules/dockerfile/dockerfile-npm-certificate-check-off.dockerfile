FROM node:22.1
# ruleid: dockerfile-npm-certificate-check-off
RUN npm config set strict-ssl false
# ruleid: dockerfile-npm-certificate-check-off
RUN yarn config set strict-ssl=false
# ruleid: dockerfile-npm-certificate-check-off
ENV NODE_TLS_REJECT_UNAUTHORIZED=0
# ok: dockerfile-npm-certificate-check-off
RUN npm config set strict-ssl true
# ok: dockerfile-npm-certificate-check-off
ENV NODE_TLS_REJECT_UNAUTHORIZED=1
# ok: dockerfile-npm-certificate-check-off
RUN npm ci
# ruleid: dockerfile-npm-certificate-check-off
RUN npm config set \
    strict-ssl false

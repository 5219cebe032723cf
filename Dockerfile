# Builds the packages of this clone and installs them, as docs/running-as-a-service.md describes.
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm run pack

FROM node:24-slim
WORKDIR /opt/pdpp
COPY --from=build /src/build/tarballs /tmp/tarballs
RUN npm install --ignore-scripts --no-audit --no-fund /tmp/tarballs/*.tgz \
  && rm -r /tmp/tarballs && mkdir -m 700 /data && chown node:node /data
USER node
ENV PDPP_DATA_DIR=/data PDPP_HOST=0.0.0.0
VOLUME /data
EXPOSE 7662
CMD ["node", "node_modules/@pdpp/cli/bin/pdpp.mjs", "serve"]

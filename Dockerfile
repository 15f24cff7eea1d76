# syntax=docker/dockerfile:1

# The forge of `tongs serve`, built from this folder:
#
#   docker build --tag tongs .
#   docker run --publish 127.0.0.1:4180:4180 --volume tongs-data:/data --volume ~/src:/repos tongs
#
# Other arguments replace the command, for example: docker run tongs serve --host 0.0.0.0 --demo

FROM node:24-slim AS build
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN npm start -- --version

FROM node:24-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /data /local /repos \
  && chown node:node /data /local /repos
COPY --from=build /src/LICENSE /src/apps/cli/package.json /opt/tongs/
COPY --from=build /src/apps/cli/dist /opt/tongs/dist
USER node
# The home folder can be read-only.
ENV XDG_CACHE_HOME=/data/cache
WORKDIR /repos
VOLUME /data
EXPOSE 4180
# Not /readyz: a restart does not bring back a database, and a load balancer asks that.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:4180/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Ends the processes whose parent has been killed.
ENTRYPOINT ["tini", "--", "node", "/opt/tongs/dist/tongs.js"]
CMD ["serve", "--host", "0.0.0.0", "--data", "/data/forge", "--repos", "/repos"]

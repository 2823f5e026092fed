# A gate for machines that are not yours: CI runners, cloud agents, containers. docs/serve.md says how it is run.
FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json tsconfig.json .npmrc README.md CHANGELOG.md LICENSE ./
COPY .ci .ci
COPY build build
COPY src src
COPY policies policies
COPY docs docs
# `npm ci` builds too, as in any clone.
RUN npm ci \
  && npm pack --ignore-scripts --pack-destination /tmp \
  && npm install --global --prefix /opt/hookgate --allow-scripts="isolated-vm,$(echo /tmp/hookgate-*.tgz)" /tmp/hookgate-*.tgz

FROM node:24-slim
COPY --from=build /opt/hookgate /opt/hookgate
# Both volumes are owned by the user that runs the gate, and nothing else here can be written.
RUN mkdir -p /var/lib/hookgate/bundles /etc/hookgate \
  && chown -R 1000:1000 /var/lib/hookgate \
  && chmod 700 /var/lib/hookgate /var/lib/hookgate/bundles
ENV NODE_ENV=production PATH=/opt/hookgate/bin:$PATH HOME=/var/lib/hookgate HOOKGATE_HOME=/var/lib/hookgate
USER 1000:1000
# The state with the record of decisions, and the signed rules that were fetched.
VOLUME ["/var/lib/hookgate", "/var/lib/hookgate/bundles"]
EXPOSE 8443
STOPSIGNAL SIGTERM
# The socket, which only this user can open, needs no certificate.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "require('http').get({ socketPath: '/var/lib/hookgate/gate.sock', path: '/healthz', timeout: 2000 }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["hookgate", "serve"]
CMD ["--listen", "0.0.0.0:8443", "--tls-cert", "/run/secrets/tls.crt", "--tls-key", "/run/secrets/tls.key", "--client-ca", "/run/secrets/client-ca.crt"]

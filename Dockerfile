# kiroku in a container; the base URL is where people reach it:
#   docker build -t kiroku .
#   docker run --read-only -p 3000:3000 -v kiroku:/data -e KIROKU_BASE_URL=http://localhost:3000 kiroku

# Built with npm alone, as on any new machine. Nothing of this stage but /image is kept.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json bun.lock bunfig.toml ./
RUN npx -y bun@1.4.5 install --frozen-lockfile
COPY tsconfig.json LICENSE NOTICE ./
COPY scripts scripts
COPY db db
COPY src src
RUN npx -y bun@1.4.5 run build
# The executable, the C libraries it asks for, and an empty directory for the data.
RUN install -D -t /image/usr/local/bin dist/kiroku \
  && ldd dist/kiroku | grep -o '/[^ ]*' | xargs cp --parents --dereference --target-directory=/image \
  && cp --parents --target-directory=/image /usr/share/doc/libc6/copyright \
  && install -D -m 0644 -t /image/usr/share/doc/kiroku LICENSE NOTICE \
  && install -d -m 0700 -o 65532 -g 65532 /image/data

# No distribution below: kiroku needs glibc and nothing else, so there is no shell to break into, no package to keep
# up to date, and the image is hardly larger than the executable.
FROM scratch
LABEL org.opencontainers.image.title="kiroku" \
  org.opencontainers.image.description="A self-hosted viewing log for anime" \
  org.opencontainers.image.licenses="MIT"
COPY --from=build /image /
# A number, so that it can be told from root without a list of users.
USER 65532:65532
ENV KIROKU_DATA=/data KIROKU_HOST=0.0.0.0
# Everything kiroku writes; the rest may be read-only. A directory bound here must belong to the user above.
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=30s CMD ["/usr/local/bin/kiroku", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/kiroku"]
CMD ["serve"]

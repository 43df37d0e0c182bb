export interface Answer {
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/**
 * The baseline for Bun: looks up the path and answers with kiroku's bytes and headers.
 * `bun bench/bare-server.ts ANSWERS`, a JSON file of `Answer[]`.
 */
async function main(file = ''): Promise<void> {
  const answers: Answer[] = await Bun.file(file).json()
  const kept = new Map(
    answers.map(({ target, headers, body }) => [
      target,
      { body: new TextEncoder().encode(body), headers: Object.fromEntries(headers) },
    ]),
  )
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const answer = kept.get(url.slice(url.indexOf('/', 8)))
      return answer === undefined
        ? new Response(null, { status: 404 })
        : new Response(answer.body, { headers: answer.headers })
    },
  })
  console.log(`listening on ${server.url.origin}`)
}

if (import.meta.main) await main(process.argv[2])

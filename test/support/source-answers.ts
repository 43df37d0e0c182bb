import type { Known } from '../../src/sources/known'
import type { AnySource, CatalogueLine, RunScope, SourceRequest } from '../../src/sources/source'

export interface Asked {
  readonly requests: readonly SourceRequest[]
  readonly lines: readonly CatalogueLine[]
}

/** What an adapter requests from a site that responds with `answer`, and the resulting lines. */
export async function askSite(
  source: AnySource,
  answer: (request: SourceRequest) => string,
  { scope, known }: { readonly scope: RunScope; readonly known: Known },
): Promise<Asked> {
  const settings = { location: undefined }
  const asking = source.requests(scope, {}, known, settings)
  const requests: SourceRequest[] = []
  const answers: unknown[] = []
  for (let step = asking.next(); step.done !== true; step = asking.next(answers.at(-1))) {
    requests.push(step.value)
    answers.push(await source.read(step.value.as, bodyOf(answer(step.value)), settings))
  }
  const lines = await Array.fromAsync(source.lines(answers, known, scope))
  return { requests, lines }
}

export const bodyOf = (text: string) => ({
  text: async () => text,
  stream: () => new Blob([text]).stream(),
})

/** As lines of a file. */
export const jsonLines = (lines: readonly CatalogueLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

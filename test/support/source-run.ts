import type { CatalogueWork, Known } from '../../src/sources/known'
import type {
  AnswerBody,
  AnySource,
  CatalogueLine,
  RunScope,
  SourceRequest,
  SourceState,
} from '../../src/sources/source'

export const scope: RunScope = {
  today: '2026-11-22',
  seasons: ['2026-summer', '2026-autumn', '2027-winter', '2027-spring'],
  since: undefined,
  isFull: false,
  limit: undefined,
}

export interface AdapterRun {
  readonly lines: readonly CatalogueLine[]
  readonly state: SourceState
  /** The requested URLs. */
  readonly asked: readonly string[]
}

type Content = string | Uint8Array

/** What an adapter makes of these answers, given by URL or by a function. */
export async function runAdapter(
  source: AnySource,
  answers: Readonly<Record<string, Content | undefined>> | ((request: SourceRequest) => Content),
  more: { scope?: Partial<RunScope>; state?: SourceState; known?: Known; location?: string } = {},
): Promise<AdapterRun> {
  const { state = {}, known = knownOf([]), location } = more
  const requests = source.requests({ ...scope, ...more.scope }, state, known, { location })
  const asked: string[] = []
  const parsed: unknown[] = []
  let step = requests.next()
  while (step.done !== true) {
    asked.push(step.value.url)
    const content = typeof answers === 'function' ? answers(step.value) : contentAt(answers, step.value)
    parsed.push(await source.read(step.value.as, answerBody(content), { location }))
    step = requests.next(parsed.at(-1))
  }
  const lines: CatalogueLine[] = []
  for await (const line of source.lines(parsed, known, { ...scope, ...more.scope })) lines.push(plain(line))
  return { lines, state: step.value, asked }
}

function contentAt(answers: Readonly<Record<string, Content | undefined>>, { url }: SourceRequest): Content {
  const answer = answers[url]
  if (answer === undefined) throw new Error(`nothing answers ${url}`)
  return answer
}

/** As if it had been written to a file and read again. */
const plain = (line: CatalogueLine): CatalogueLine => JSON.parse(JSON.stringify(line))

export function answerBody(content: string | Uint8Array): AnswerBody {
  const bytes = new Uint8Array(typeof content === 'string' ? new TextEncoder().encode(content) : content)
  return {
    text: async () => new TextDecoder().decode(bytes),
    stream: () => new Blob([bytes]).stream(),
  }
}

/** A catalogue with only these works. */
export function knownOf(works: readonly CatalogueWork[]): Known {
  const byId = Map.groupBy(
    works.flatMap((work) =>
      [...work.ids].flatMap(([to, ids]) => ids.map((id) => ({ key: `${to}:${id}`, work }))),
    ),
    ({ key }) => key,
  )
  const only = (key: string) => {
    const [first, second] = byId.get(key) ?? []
    return second === undefined ? first?.work : undefined
  }
  return {
    work: (namespace, id) => only(`${namespace}:${id}`),
    onlyWork: (namespace, id) => only(`${namespace}:${id}`),
    workIds: (namespace) => works.flatMap(({ ids }) => ids.get(namespace) ?? []),
    openWorkIds: () => [],
    watchedSeasons: () => [],
    hasBetterCredits: () => false,
    person: () => undefined,
    organization: () => undefined,
    character: () => undefined,
  }
}

/** The works of lines, as a catalogue that imported them would have them. */
export const knownWorks = (lines: readonly CatalogueLine[]): CatalogueWork[] =>
  lines.flatMap((line, at) =>
    line.type === 'work' && typeof line.title === 'string'
      ? [
          {
            id: at,
            title: line.title,
            media: String(line.media),
            seasonYear: Number(String(line.season_name ?? '').slice(0, 4)) || null,
            ids: idsOf(line),
          },
        ]
      : [],
  )

function idsOf({ ids, key }: CatalogueLine): Map<string, readonly string[]> {
  const [namespace = '', ...rest] = String(key).split(':')
  const all = { [namespace]: rest.join(':'), ...(typeof ids === 'object' ? ids : {}) }
  return new Map(Object.entries(all).map(([to, id]) => [to, [String(id)]]))
}

/** A file of `test/sources/fixtures`. */
export const fixture = (path: string) => Bun.file(`${import.meta.dir}/../sources/fixtures/${path}`).text()

/** The lines of `expected.jsonl` in a folder there. */
export const expectedLines = async (folder: string): Promise<CatalogueLine[]> =>
  (await fixture(`${folder}/expected.jsonl`))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

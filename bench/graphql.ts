import { join } from 'node:path'
import { openHandle } from '../src/db/open'
import { kiroku as command, executable, makeToken } from './instance'
import { burst, type LoadSetup } from './load'
import { startMeasured } from './measured'
import { median } from './median'
import type { BenchRequest } from './scenarios'
import { table } from './table'

interface Pair {
  readonly name: string
  readonly rest: readonly BenchRequest[]
  readonly graphql: readonly BenchRequest[]
}

const graphql = (query: string, variables: object = {}): BenchRequest => ({
  method: 'POST',
  target: '/graphql',
  body: { query, variables },
})

const works = `query ($after: String) { searchWorks(first: 50, after: $after) {
  nodes { annictId title media seasonName episodesCount } } }`

/** An unknown field makes each target different, so that no answer comes from the cache. */
const restWorks = (page: number, nth: number) =>
  `/v1/works?per_page=50&page=${page}&fields=id,title,media,season_name,episodes_count,x${nth}`

const cursor = (position: number) => Buffer.from(String(position)).toString('base64url')

const several = <T>(count: number, make: (nth: number) => T): T[] =>
  Array.from({ length: count }, (_, nth) => make(nth))

const pairs: readonly Pair[] = [
  {
    name: '50 works with five fields, any page',
    rest: several(3000, (nth) => ({ target: restWorks(1 + (nth % 300), nth) })),
    graphql: several(3000, (nth) => graphql(works, { after: cursor(50 * (nth % 300)), nth })),
  },
  {
    name: '50 works with five fields, the same again',
    rest: [{ target: restWorks(1, 0) }],
    graphql: [graphql(works)],
  },
  {
    name: 'the own profile',
    rest: [{ target: '/v1/me?fields=id,username' }],
    graphql: [graphql('{ viewer { annictId username } }')],
  },
]

const library = (first: number) =>
  graphql(
    `{ viewer { libraryEntries(first: ${first}) { nodes { work { episodes { nodes { viewerDidTrack } } } } } } }`,
  )

/** Compares the CPU time of queries with that of REST, and checks how a library's episodes scale. Returns a report. */
export async function measureGraphql(
  scratch: string,
  pack: string,
  pace: { rounds: number; seconds: number },
) {
  const data = join(scratch, 'graphql')
  const file = join(scratch, 'graphql.jsonl')
  await Bun.write(file, Bun.zstdDecompressSync(await Bun.file(pack).bytes()))
  await command(['catalogue', 'import', file, '--data', data])
  const token = await makeToken(data)
  const episodes = fillLibrary(data)
  const serve = ['serve', '--data', data, '--port', '0', '--no-catalogue', '--rate-limit', 'off']
  await using kiroku = await startMeasured([executable, ...serve], join(scratch, 'graphql.log'))
  const idle = kiroku.rss()
  const site = { token, ...pace }
  const compared: string[][] = []
  for (const { name, rest, graphql } of pairs) {
    const rounds = await inTurn(kiroku, [rest, graphql], site)
    const [ofRest, ofGraphql] = [0, 1].map((at) => median(rounds.map((round) => round[at] ?? Number.NaN)))
    const times = median(rounds.map(([one = Number.NaN, other = Number.NaN]) => other / one))
    compared.push([name, micro(ofRest), micro(ofGraphql), times.toFixed(2)])
  }
  const scaled: string[][] = []
  for (const [first, count] of episodes) {
    const rounds = await inTurn(kiroku, [[library(first)]], site)
    const cpu = median(rounds.map(([one = Number.NaN]) => one))
    scaled.push([String(first), String(count), (cpu / 1000).toFixed(1), (cpu / count).toFixed(2)])
  }
  return [
    table([['query', 'REST, µs of CPU', 'GraphQL, µs', 'times'], ...compared]),
    table([['library entries', 'episodes', 'ms of CPU', 'µs an episode'], ...scaled]),
    `Memory: ${idle.toFixed(0)} MB before the first query, ${kiroku.rss().toFixed(0)} MB after the last.`,
  ].join('\n\n')
}

/** CPU time per request in µs for each list of requests, measured in turns after a warm-up round. */
async function inTurn(
  server: LoadSetup['kiroku'],
  lists: readonly (readonly BenchRequest[])[],
  site: Pick<LoadSetup, 'token' | 'seconds' | 'rounds'>,
): Promise<number[][]> {
  const rounds: number[][] = []
  for (let round = 0; round <= site.rounds; round++) {
    const cpus: number[] = []
    for (const requests of lists) {
      const { cpu, failures } = await burst(server, requests, site)
      if (failures > 0) throw new Error(`${failures} requests failed, such as ${requests[0]?.target}`)
      cpus.push(cpu)
    }
    if (round > 0) rounds.push(cpus)
  }
  return rounds
}

/** Sets statuses for 1,000 works with episodes, some watched. Returns how many episodes the first entries have. */
function fillLibrary(data: string): (readonly [entries: number, episodes: number])[] {
  using handle = openHandle(data)
  handle.run(`insert into statuses (user_id, work_id, kind, changed_at)
    select 1, id, 'watching', 0 from works where hidden = 0 and episodes_count between 6 and 30 order by id limit 1000`)
  handle.run(`insert into records (user_id, work_id, episode_id, watched_at, created_at)
    select 1, work_id, id, 0, 0 from episodes where work_id in (select work_id from statuses) and id % 2 = 0`)
  const count = handle.query<{ n: number }, [number]>(`select count(*) as n from episodes where hidden = 0
    and work_id in (select work_id from library_entries order by id limit ?)`)
  return [10, 100, 1000].map((entries) => [entries, count.get(entries)?.n ?? 0])
}

const micro = (cpu: number | undefined) => (cpu ?? Number.NaN).toFixed(0)

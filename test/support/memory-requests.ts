import type { Endpoint } from '../../src/api/endpoint'
import type { Param } from '../../src/api/params'
import { exampleOf } from './fuzz-values'
import type { Body } from './instance'

/** A request unequal to any other. */
export interface DistinctRequest {
  readonly target: string
  readonly method: string
  readonly body?: string
}

/** Numbers that look random and are the same in every run. */
export type Random = (below: number) => number

export function createRandom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // The lower bits of such a generator repeat after a few steps.
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Names that `fields` may select, from every resource. */
const fieldNames =
  'id,title,user,user.name,work,work.title,episode,episode.number,record,review,status,action,images,season_name,total_count,created_at,comment,person,character,organization,series,channel,likes_count,name,body'.split(
    ',',
  )

/** Values to request, by the parameter that accepts them. */
export type Known = Readonly<Record<string, readonly string[]>>

/** Some of a demo instance's rows, for parameters that name them. */
export async function knownTo(url: string, token: string): Promise<Known> {
  const some = async (list: string, field: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const body: Body = await (await fetch(`${url}/v1/${list}?per_page=50&sort_id=desc`, { headers })).json()
    return body[list.split('/').at(-1) ?? ''].map((item: Body) => String(item[field]))
  }
  const [works, episodes, users] = [some('works', 'id'), some('episodes', 'id'), some('users', 'username')]
  return {
    work_id: await works,
    episode_id: await episodes,
    episode_ids: await episodes,
    record_id: await some('records', 'id'),
    review_id: await some('reviews', 'id'),
    channel_id: await some('me/channels', 'id'),
    username: await users,
  }
}

/** A request for an endpoint: some of its filters and sorts, some fields, and a name that is used only this once. */
export function distinctRequest(
  { method, path, operation }: Endpoint,
  nth: number,
  random: Random,
  known: Known,
): DistinctRequest {
  const values = new Map<string, string>()
  const declared = Object.entries(operation.params)
  const alternatives = declared.flatMap(([name, { isAlternative }]) => (isAlternative ? [name] : []))
  const chosen = alternatives[random(alternatives.length)]
  for (const [name, param] of declared) {
    if (param.isAlternative && name !== chosen) continue
    if (param.required || name === chosen || path.includes(`:${name}`) || random(3) === 0)
      values.set(name, known[name]?.[random(known[name].length)] ?? textFor(name, param, nth, random))
  }
  if ('fields' in operation.params) values.set('fields', fieldsOf(nth, random))
  const target = path.replace(/:([a-z_]+)/g, (_, name) => values.get(name) ?? '1')
  const pairs = [...values].filter(([name]) => !path.includes(`:${name}`))
  if (method === 'GET') return { method, target: `${target}?${new URLSearchParams(pairs)}` }
  return { method, target, body: JSON.stringify(Object.fromEntries(pairs)) }
}

function fieldsOf(nth: number, random: Random): string {
  const names = fieldNames.filter(() => random(3) === 0)
  // One in ten is nearly as long as a request may be.
  const own = random(10) === 0 ? `x${nth}.${'a'.repeat(20_000)}` : `x${nth}`
  return [...names, own].join(',')
}

function textFor(name: string, { schema, example }: Param<unknown>, nth: number, random: Random): string {
  if (name === 'page') return String(1 + random(200))
  if (name === 'per_page') return String(1 + random(50))
  if (/^(filter_.*)?ids?$/.test(name)) return String(1 + random(2000))
  const { enum: words, maxLength } = schema as { enum?: readonly string[]; maxLength?: number }
  if (/^(filter_)?(title|name|comment|body)$/.test(name))
    return `${example} ${nth} ${'記録'.repeat(random(400))}`.slice(0, maxLength)
  return words?.[random(words.length)] ?? exampleOf({ example })
}

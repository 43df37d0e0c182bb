import type { Answer } from './answer'

/** Descriptions without list indexes, so that similar differences have the same text. */
export function differences(before: Answer, after: Answer): string[] {
  const found: string[] = []
  if (before.status !== after.status) found.push(`status: ${before.status} → ${after.status}`)
  for (const name of new Set([...Object.keys(before.headers), ...Object.keys(after.headers)]))
    if (before.headers[name] !== after.headers[name])
      found.push(`header ${name}: ${excerpt(before.headers[name])} → ${excerpt(after.headers[name])}`)
  if (before.body !== after.body) found.push(...bodyDifferences(before.body, after.body))
  return found
}

function bodyDifferences(before: string, after: string): string[] {
  const [left, right] = [parsed(before), parsed(after)]
  if (left !== undefined && right !== undefined) {
    const paths = [...new Set(valueDifferences('', left, right))]
    if (paths.length > 0) return paths.slice(0, 5)
  }
  const [old, current] = [before.split('\n'), after.split('\n')]
  const at = old.findIndex((line, i) => line !== current[i])
  const i = at === -1 ? old.length : at
  return [`text: ${around(old[i], current[i])} → ${around(current[i], old[i])}`]
}

function valueDifferences(path: string, before: unknown, after: unknown): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (Array.isArray(before) && Array.isArray(after)) {
    const length =
      before.length === after.length ? [] : [`body ${path}: ${before.length} → ${after.length} entries`]
    if (isOrder(before, after)) return [`body ${path}: another order`]
    return [
      ...length,
      ...before.flatMap((one, i) => (i < after.length ? valueDifferences(`${path}[]`, one, after[i]) : [])),
    ]
  }
  if (isObject(before) && isObject(after)) {
    const [names, others] = [Object.keys(before), Object.keys(after)]
    const order = names.join() !== others.join() && names.toSorted().join() === others.toSorted().join()
    const inside = [...new Set([...names, ...others])].flatMap((name) =>
      valueDifferences(`${path}.${name}`, before[name], after[name]),
    )
    return order ? [`body ${path}: keys in another order`, ...inside] : inside
  }
  return [`body ${path}: ${excerpt(before)} → ${excerpt(after)}`]
}

const isOrder = (before: readonly unknown[], after: readonly unknown[]) =>
  before.length > 1 && textsOf(before).toSorted().join() === textsOf(after).toSorted().join()

const textsOf = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function around(line: string | undefined, other = ''): string {
  if (line === undefined) return 'nothing'
  let at = 0
  while (at < line.length && line[at] === other[at]) at += 1
  return excerpt(line.slice(Math.max(0, at - 20), at + 60))
}

const excerpt = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100))

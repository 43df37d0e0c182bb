import type { Endpoint } from '../../src/api/endpoint'
import type { Store } from '../../src/db/open'
import { query, targetOf } from './instance'

/**
 * What a request needs besides its path: an example of every required parameter, and of the first of those that exclude
 * each other, unless another of them is among `sent`.
 */
export function requiredOf({ path, operation }: Endpoint, ...sent: string[]): Record<string, string> {
  const declared = Object.entries(operation.params)
  const alternatives = declared.flatMap(([name, { isAlternative }]) => (isAlternative ? [name] : []))
  const chosen = alternatives.some((name) => sent.includes(name)) ? undefined : alternatives[0]
  return Object.fromEntries(
    declared
      .filter(([name, { required }]) => (required || name === chosen) && !path.includes(`:${name}`))
      .map(([name, { example }]) => [name, String(example)]),
  )
}

/** The target of an endpoint that reads, with what it needs of the seed data's rows. */
export function readingTarget(path: string, params: Readonly<Record<string, string>> = {}): string {
  const needed = path === '/v1/comments' ? { filter_record_id: '1' } : {}
  return targetOf(path) + query({ ...needed, ...params })
}

/** The text with every number replaced by 0, and without secrets: of two writes only ids, times, counters and those differ. */
export const numberless = (text: string) =>
  text
    .replaceAll(/(kir_[a-z]{2})_\w+/g, '$1')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec')
    .replaceAll(/\d+/g, '0')

/** Removes the feeds and destinations that were made, of which a person may have few, so that the next request may make one. */
export const makeRoom = ({ handle }: Store) =>
  handle.exec('delete from feeds where id > 1; delete from destinations where id > 1')

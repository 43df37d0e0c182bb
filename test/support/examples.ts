import type { Endpoint } from '../../src/api/endpoint'

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

/** The text with every number replaced by 0: ids, times and counters of two writes differ, but nothing else. */
export const numberless = (text: string) => text.replaceAll(/\d+/g, '0')

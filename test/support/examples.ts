import type { Endpoint } from '../../src/api/endpoint'

/** What a request needs besides its path: an example of every required parameter. */
export const requiredOf = ({ path, operation }: Endpoint): Record<string, string> =>
  Object.fromEntries(
    Object.entries(operation.params)
      .filter(([name, { required }]) => required && !path.includes(`:${name}`))
      .map(([name, { example }]) => [name, String(example)]),
  )

/** The text with every number replaced by 0: ids, times and counters of two writes differ, but nothing else. */
export const numberless = (text: string) => text.replaceAll(/\d+/g, '0')

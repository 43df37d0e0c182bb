import type { Endpoint } from '../../src/api/endpoint'

/** What a request must carry besides its path: an example of every required parameter. */
export const requiredOf = ({ path, operation }: Endpoint): Record<string, string> =>
  Object.fromEntries(
    Object.entries(operation.params)
      .filter(([name, { required }]) => required && !path.includes(`:${name}`))
      .map(([name, { example }]) => [name, String(example)]),
  )

/** Text with every number as 0: the ids, times and counters of two writes differ, and nothing else of them. */
export const numberless = (text: string) => text.replaceAll(/\d+/g, '0')

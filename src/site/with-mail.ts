import type { Route } from '../http/route'

/** Routes of an instance that sends mail, and those on the same path of one that does not; GET alone stands for POST too. */
export function withMailElse(withMail: readonly Route[], without: readonly Route[]): readonly Route[] {
  return withMail.map((route) => {
    const other = without.find(({ method }) => method === route.method) ?? without[0] ?? route
    return { ...route, answer: (asked) => (asked.deps.mail === undefined ? other : route).answer(asked) }
  })
}

import type { PageRoute } from '../web/page'

/** Pages of an instance that sends mail, and those on the same path of one that does not; GET alone stands for POST too. */
export function withMailElse(
  withMail: readonly PageRoute[],
  without: readonly PageRoute[],
): readonly PageRoute[] {
  return withMail.map((route) => {
    const other = without.find(({ method }) => method === route.method) ?? without[0] ?? route
    return { ...route, answer: (visit) => (visit.deps.mail === undefined ? other : route).answer(visit) }
  })
}

import type { PageRoute } from '../web/page'

/** Chooses between two sets of pages at the same path, with mail or without; a lone GET page also answers POST. */
export function byMailSetting(
  withMail: readonly PageRoute[],
  without: readonly PageRoute[],
): readonly PageRoute[] {
  return withMail.map((route) => {
    const other = without.find(({ method }) => method === route.method) ?? without[0] ?? route
    return { ...route, answer: (visit) => (visit.deps.mail === undefined ? other : route).answer(visit) }
  })
}

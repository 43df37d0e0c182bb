import type { PageRoute } from '../web/page'
import type { Visit } from '../web/visit'

/** Chooses between two sets of pages at the same path, with mail or without. */
export const byMailSetting = (withMail: readonly PageRoute[], without: readonly PageRoute[]) =>
  eitherPages(({ deps }) => deps.mail !== undefined, withMail, without)

/** Chooses between two sets of pages at the same path; a lone GET page also answers POST. */
export function eitherPages(
  isFirst: (visit: Visit) => boolean | Promise<boolean>,
  first: readonly PageRoute[],
  second: readonly PageRoute[],
): readonly PageRoute[] {
  return first.map((route) => {
    const other = second.find(({ method }) => method === route.method) ?? second[0] ?? route
    return { ...route, answer: async (visit) => ((await isFirst(visit)) ? route : other).answer(visit) }
  })
}

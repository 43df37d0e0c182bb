import type { Message } from '../messages/languages'
import type { NavigationPlace } from '../pages/layout'
import type { PageRoute } from './page'

/** Pages below a list: the way back to it above them, and their place in the navigation. */
export const below = (
  list: { readonly path: string; readonly name: Message; readonly place?: NavigationPlace },
  routes: readonly PageRoute[],
): readonly PageRoute[] =>
  routes.map(({ answer, ...route }) => ({
    ...route,
    answer: async (visit) => {
      const content = await answer(visit)
      if (content instanceof Response) return content
      const back = { path: list.path, name: list.name(visit.t) }
      return { back, ...(list.place && { place: list.place }), ...content }
    },
  }))

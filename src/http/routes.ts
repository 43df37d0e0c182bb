import type { Elysia } from 'elysia'

/**
 * Which methods a path answers, HEAD with GET. A path that is declared as it stands answers what is declared for it, and
 * nothing of a form it also has: `/v1/me/records/bulk` is no `/v1/me/records/:id`.
 */
export function methodsByPath(router: Pick<Elysia, 'routes'>): (path: string) => readonly string[] {
  const declared = new Map<string, string[]>()
  for (const { method, path } of router.routes) {
    const methods = declared.get(path) ?? []
    methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
    declared.set(path, methods)
  }
  const forms = [...declared].map(([path, methods]) => ({ pattern: patternOf(path), methods }))
  return (path) => {
    const exact = declared.get(path) ?? declared.get(path.replace(/\/$/, ''))
    if (exact !== undefined) return exact
    const matching = forms.filter(({ pattern }) => pattern.test(path))
    return [...new Set(matching.flatMap(({ methods }) => methods))]
  }
}

/** `/v1/me/records/:id` → paths of that form, a trailing slash tolerated (D6). */
const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&').replace(/:[a-z_]+/g, '[^/]+')}/?$`)

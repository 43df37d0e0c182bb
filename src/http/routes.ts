import type { Elysia } from 'elysia'

/** Which methods the router answers on a path, HEAD with GET. */
export function methodsByPath(router: Pick<Elysia, 'routes'>): (path: string) => readonly string[] {
  const patterns = new Map<string, { pattern: RegExp; methods: string[] }>()
  for (const { method, path } of router.routes) {
    const known = patterns.get(path) ?? { pattern: patternOf(path), methods: [] }
    known.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
    patterns.set(path, known)
  }
  const known = [...patterns.values()]
  return (path) => {
    const matching = known.filter(({ pattern }) => pattern.test(path))
    return [...new Set(matching.flatMap(({ methods }) => methods))]
  }
}

/** `/v1/me/records/:id` → paths of that form, a trailing slash tolerated (D6). */
const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&').replace(/:[a-z_]+/g, '[^/]+')}/?$`)

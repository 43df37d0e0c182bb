import type { Context } from '../declare/field'
import { fromGlobalId, type Named } from '../declare/global-id'

/** In the order of the ids; null for ids of nothing visible. One or two queries per type. */
export const findNodes = (ids: readonly string[], context: Context): Promise<readonly (object | null)[]> =>
  context.budget.readNow(() => readNodes(ids, context))

async function readNodes(ids: readonly string[], context: Context): Promise<readonly (object | null)[]> {
  const named = ids.map(fromGlobalId)
  const byType = Map.groupBy(
    named.filter((one) => one !== undefined),
    ({ type }) => type,
  )
  const found = new Map<string, object>()
  for (const [type, some] of byType) {
    const shown = await context.rows.shownIds(
      type,
      some.map(({ number }) => number),
    )
    await context.rows.loadAll(type, [...shown.values()])
    for (const one of some) {
      const row = await context.rows.load(type, shown.get(one.number))
      if (row !== null) found.set(keyOf(one), { ...row, __typename: type })
    }
  }
  return named.map((one) => (one && found.get(keyOf(one))) ?? null)
}

const keyOf = ({ type, number }: Named) => `${type}-${number}`

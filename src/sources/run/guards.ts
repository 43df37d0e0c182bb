import type { Database } from 'bun:sqlite'
import { titleText } from '../../catalogue/title-key'

/** Why a change of the catalogue is suspicious. `copy` is the changed one, the current database is attached as `live`. */
export function suspicionOf(
  copy: Database,
  lines: number,
  usualLines: number | undefined,
): string | undefined {
  return tooManyTitles(copy) ?? tooFewLines(lines, usualLines) ?? movedNumber(copy)
}

function tooManyTitles(copy: Database): string | undefined {
  const [counts] = copy.query<{ changed: number; known: number }, []>(changedTitles).all()
  const { changed, known } = counts ?? { changed: 0, known: 0 }
  const most = Math.max(fewTitles, Math.floor(known * mostChanged))
  return changed <= most
    ? undefined
    : `it would change the titles of ${grouped(changed)} of ${grouped(known)} works, and at most ${grouped(most)} are expected`
}

function tooFewLines(lines: number, usual: number | undefined): string | undefined {
  if (usual === undefined || usual < fewLines || lines * 2 >= usual) return undefined
  return `it gives ${grouped(lines)} lines, less than half of the ${grouped(usual)} of its last run`
}

/** Annict's numbers appear in links and other programs: each must stay with its work. */
function movedNumber(copy: Database): string | undefined {
  for (const { id, from, fromYear, to, toYear } of copy.query<Moved, []>(movedNumbers).iterate()) {
    if (titleText(from) !== titleText(to) && fromYear !== toYear)
      return `the Annict id ${id} would move from ${from} (${fromYear ?? '?'}) to ${to} (${toYear ?? '?'})`
  }
  return undefined
}

interface Moved {
  readonly id: string
  readonly from: string
  readonly fromYear: number | null
  readonly to: string
  readonly toYear: number | null
}

const changedTitles = `
  select count(*) filter (where work.title <> live.title) as changed, count(*) as known
  from live.works as live join main.works as work using (id) where live.hidden = 0`

/** Merged works share their numbers. */
const movedNumbers = `
  select live.external_id as id, before.title as "from", before.season_year as fromYear,
    after.title as "to", after.season_year as toYear
  from live.external_ids as live
  join main.external_ids as moved on moved.kind = 'work' and moved.ns = 'annict'
    and moved.external_id = live.external_id and moved.local_id <> live.local_id
  join live.works as before on before.id = live.local_id
  join main.works as after on after.id = moved.local_id
  where live.kind = 'work' and live.ns = 'annict' and before.hidden = 0
    and not exists (select 1 from live.external_ids as had where had.kind = 'work' and had.ns = 'annict'
      and had.external_id = moved.external_id and had.local_id = moved.local_id)
    and not exists (select 1 from main.redirects as redirect where redirect.kind = 'work'
      and redirect.from_id = live.local_id and redirect.to_id = moved.local_id)`

const grouped = (n: number) => n.toLocaleString('en')

const mostChanged = 0.02
/** In a small catalogue 2 % are only a few, which may well change. */
const fewTitles = 10
/** Losing half of fewer lines means nothing. */
const fewLines = 50

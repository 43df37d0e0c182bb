import type { Read } from '../db/open'
import type { Deps } from '../deps'
import { type Choices, choicesOf, seriesSource } from '../transfer/match/choices'
import type { KnownWork } from '../transfer/match/known-work'
import { place } from '../transfer/match/place'
import type { PlaceRule, UnplacedReason } from '../transfer/match/placed-play'
import { seriesKeys } from '../transfer/match/said-play'
import { keptTitles } from './kept-titles'
import type { IgnoredReason, IgnoredReport, PlayerReport, ReportedPlay } from './report'

export interface DecidedPlay {
  readonly said: ReportedPlay
  readonly work: KnownWork
  /** Null for a work that is watched as a whole. */
  readonly episode: number | null
}

export interface ProposedWork {
  readonly work_id: number
  readonly episode?: number | undefined
}

export type PlayDecision =
  | { readonly result: 'ignored'; readonly reason: IgnoredReason }
  | {
      readonly result: 'unmatched'
      readonly reason: UnplacedReason
      readonly proposals: readonly ProposedWork[]
    }
  | { readonly result: 'placed'; readonly rule: PlaceRule; readonly plays: readonly DecidedPlay[] }

/** Whose plays a hook takes, and how much of an episode is enough. */
export interface HookRules {
  readonly userId: number
  /** Of the player; '' for any. */
  readonly playerUser: string
  /** Percent. */
  readonly threshold: number
}

type Needs = Pick<Deps, 'read' | 'generations' | 'steady'>

/** Finds out what a report means; writes nothing and needs no network. Of several episodes, all are sure or none. */
export async function decide(
  deps: Needs,
  rules: HookRules,
  report: PlayerReport | IgnoredReport,
): Promise<PlayDecision> {
  const reason = await ignoredBecause(deps.read, rules, report)
  if ('ignored' in report || reason !== undefined) return { result: 'ignored', reason: reason ?? 'event' }
  const [first] = report.plays
  if (first === undefined) return { result: 'unmatched', reason: 'no_episode', proposals: [] }
  const context = { titles: await keptTitles(deps), choices: await seriesChoices(deps.read, rules.userId) }
  const plays: DecidedPlay[] = []
  let rule: PlaceRule | undefined
  for (const said of report.plays) {
    const found = await place(deps.read, context, said)
    if (!('work' in found) || report.isGuess)
      return {
        result: 'unmatched',
        reason: 'reason' in found ? found.reason : 'title_only',
        proposals: proposalsOf(found),
      }
    rule ??= found.rule
    plays.push({ said, work: found.work, episode: found.episode })
  }
  return { result: 'placed', rule: rule ?? 'season', plays }
}

const seriesChoices = (read: Read, userId: number): Promise<Choices> => choicesOf(read, userId, seriesSource)

const proposalsOf = (found: Awaited<ReturnType<typeof place>>): readonly ProposedWork[] =>
  'work' in found
    ? [{ work_id: found.work.id, episode: found.episode ?? undefined }]
    : found.proposals.map(({ id }) => ({ work_id: id }))

async function ignoredBecause(
  read: Read,
  { userId, playerUser, threshold }: HookRules,
  report: PlayerReport | IgnoredReport,
): Promise<IgnoredReason | undefined> {
  const isOther = playerUser !== '' && report.user !== '' && nameKey(report.user) !== nameKey(playerUser)
  if ('ignored' in report) return report.ignored === 'event' || !isOther ? report.ignored : 'user'
  if (isOther) return 'user'
  if (report.percent !== undefined && !(report.percent >= threshold)) return 'not_completed'
  return (await isLeftOut(read, userId, report)) ? 'left_out' : undefined
}

const nameKey = (name: string) => name.normalize('NFKC').toLowerCase()

/** Its name alone leaves a series out only where no id is sent: others may have the same name. */
async function isLeftOut(read: Read, userId: number, { plays }: PlayerReport): Promise<boolean> {
  const keys = new Set(
    plays.flatMap((said) => seriesKeys(said).filter((key, at) => at === 0 || !key.startsWith('title:'))),
  )
  if (keys.size === 0) return false
  const found = await read
    .selectFrom('left_out_series') // uses its unique index
    .select('id')
    .where('user_id', '=', userId)
    .where('series_key', 'in', [...keys])
    .executeTakeFirst()
  return found !== undefined
}

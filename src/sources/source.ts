import type { Known } from './known'

/** A line of catalogue JSONL v1: see docs/catalogue-format.md. */
export type CatalogueLine = { readonly type: string } & Readonly<Record<string, unknown>>

export interface SourceRequest {
  /** Absolute, or relative to the location set for the source; `''` is the location itself. */
  readonly url: string
  /** The kind of answer, which is passed to `Source.read`. */
  readonly as: string
  /** Accepted media types; sent as `Accept`. */
  readonly accept: readonly string[]
  /** Body to send by POST as JSON; the request is then unconditional. */
  readonly json?: unknown
  /** Whether to send the stored token as Bearer. */
  readonly hasToken?: boolean
  /** Sent without a condition, because the answer is needed even if it has not changed. */
  readonly isUnconditional?: boolean
}

/** The decompressed content of an answer, just received or stored by a former run. */
export interface AnswerBody {
  text(): Promise<string>
  /** For content too large for memory. May be called several times. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
}

/** What one run covers. Plain data: it is stored with the run, which is resumed with the same scope. */
export interface RunScope {
  /** `YYYY-MM-DD` in Japan, which the seasons follow. */
  readonly today: string
  /** Such as `2026-autumn`: by default the season before last to the one after next. */
  readonly seasons: readonly string[]
  /** Whether the administrator chose the seasons, in place of the usual ones. */
  readonly hasOwnSeasons?: boolean
  /** Only what has changed since this day, `YYYY-MM-DD`. */
  readonly since: string | undefined
  /** Everything that the source has. */
  readonly isFull: boolean
  readonly limit: number | undefined
}

/** What a source remembers from one successful run for the next. Plain data, at most 1 MB as JSON. */
export type SourceState = Readonly<Record<string, unknown>>

export interface Pace {
  readonly perSecond: number
  readonly perHour?: number
  readonly perDay?: number
}

/** What the administrator may have to set: a personal token, or the source's location (a URL, folder or file). */
export type SourceSetting = 'token' | 'location'

/** The settings that an adapter sees: the token is known only to the runner. */
export interface SourceSettings {
  /** As set, including the part after `#`, which does not belong to the address: see `splitLocation`. */
  readonly location: string | undefined
}

/**
 * Makes one request after another, without I/O: each `yield` evaluates to what was read from the answer, or from the
 * stored answer of a former run if it has not changed.
 */
export type Asking<Parsed, Result> = Generator<SourceRequest, Result, Parsed>

/**
 * A source of catalogue data. It only turns answers into lines: the runner alone reaches the network and the
 * database. `Parsed` is what it reads from its answers.
 */
export interface Source<Parsed> {
  /** The name used in commands, and the `name` in the header of its lines. */
  readonly name: string
  readonly title: string
  readonly licence: string
  readonly home: string
  /** All hosts that may ever be contacted, even after a redirect. Empty if only `location` decides. */
  readonly hosts: readonly string[]
  /** Time between two scheduled runs; undefined if it runs only by command. */
  readonly intervalMs: number | undefined
  readonly pace: Pace
  /** Limit of one answer, decompressed. */
  readonly maxBytes: number
  readonly settings: readonly SourceSetting[]
  /** Whether works may be matched by title, year and medium if no id matches. */
  readonly matchTitles: boolean
  /** Returns the state for the next run. Must be deterministic: an interrupted run is resumed by replaying its answers. */
  requests(
    scope: RunScope,
    state: SourceState,
    known: Known,
    settings: SourceSettings,
  ): Asking<Parsed, SourceState>
  /** Throws a `ShapeError` if the answer does not have the source's known shape. */
  read(as: string, body: AnswerBody, settings: SourceSettings): Promise<Parsed>
  /** The lines for all answers of a run, header first; answers are in the order of the requests. */
  lines(
    answers: readonly Parsed[],
    known: Known,
    scope: RunScope,
  ): Iterable<CatalogueLine> | AsyncIterable<CatalogueLine>
  /** Notes for the report, about what lines cannot express. */
  notes?(answers: readonly Parsed[]): Iterable<string>
}

/** The first line of a source; ids in the namespaces `preserve_ids` become the rows' ids if they are free. */
export function headerOf(name: string, preserve_ids: readonly string[] = []): CatalogueLine {
  return { type: 'catalogue', version: 1, name, mode: 'upsert', preserve_ids }
}

/** Requests the single file that the administrator has set. */
export function* askForFile(...accept: readonly string[]): Asking<unknown, SourceState> {
  yield { url: '', as: 'file', accept, isUnconditional: true }
  return {}
}

export type AnySource = Source<unknown>

/** Checks the declaration's types: the runner passes to a source only what its own `read` returned. */
export const defineSource = <Parsed>(source: Source<Parsed>): AnySource => source as AnySource

/** An answer without the known shape: nothing of the run is imported (exit 65). */
export class ShapeError extends Error {
  /** `where` is such as `TitleItems[3].TID`, `rule` such as `must be a whole number`. */
  constructor(
    readonly where: string,
    readonly rule: string,
  ) {
    super(`${where} ${rule}`)
  }
}

/** An answer whose content, not a 401, says that the token is invalid: handled like a missing one (exit 78). */
export class TokenRefused extends Error {}

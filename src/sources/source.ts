import type { Known } from './known'

/** A line of catalogue JSONL v1, as docs/catalogue-format.md tells. */
export type CatalogueLine = { readonly type: string } & Readonly<Record<string, unknown>>

export interface SourceRequest {
  /** Absolute, or relative to the location that the administrator has set for the source; `''` is the location itself. */
  readonly url: string
  /** Which kind of answer it is: what `Source.read` is told. */
  readonly as: string
  /** The media types that are taken; sent as `Accept`. */
  readonly accept: readonly string[]
  /** Sent by POST as JSON, which is then no conditional request. */
  readonly json?: unknown
  /** With the token of the settings as Bearer. */
  readonly hasToken?: boolean
  /** Sent without a condition, as its answer is needed where it has not changed, too. */
  readonly isUnconditional?: boolean
}

/** The content of an answer after decompression, received or kept from a former run. */
export interface AnswerBody {
  text(): Promise<string>
  /** For what is too large to be held. May be called several times. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
}

/** What one run is about. Plain data: it is kept with the run, which is resumed with the same one. */
export interface Scope {
  /** `YYYY-MM-DD` in Japan, where the seasons are counted. */
  readonly today: string
  /** Such as `2026-autumn`: by default the season before last to the one after next. */
  readonly seasons: readonly string[]
  /** Whether the seasons were asked for, and are not the usual ones. */
  readonly hasOwnSeasons?: boolean
  /** What has changed since, `YYYY-MM-DD`. */
  readonly since: string | undefined
  /** All that the source has. */
  readonly isFull: boolean
  readonly limit: number | undefined
}

/** What a source remembers from one successful run to the next. Plain data, at most 1 MB as JSON. */
export type SourceState = Readonly<Record<string, unknown>>

export interface Pace {
  readonly perSecond: number
  readonly perHour?: number
  readonly perDay?: number
}

/** What the administrator may have to give: a token of a person, or where the source is (a URL, or a folder or file). */
export type SourceSetting = 'token' | 'location'

/** What an adapter knows of them: a token is the affair of the runner alone. */
export interface SourceSettings {
  /** As it was given, with what follows `#`, which is no part of the address: see `splitLocation`. */
  readonly location: string | undefined
}

/**
 * Asks one thing after the other, without I/O: each `yield` evaluates to what was read in its answer: in the one that a
 * former run kept, where that has not changed.
 */
export type Asking<Parsed, Result> = Generator<SourceRequest, Result, Parsed>

/**
 * A source of catalogue data. It turns answers into lines and does nothing else: only the runner reaches the network
 * and the database. `Parsed` is what it reads in its answers.
 */
export interface Source<Parsed> {
  /** As in commands, and the `name` of the lines' header. */
  readonly name: string
  readonly title: string
  readonly licence: string
  readonly home: string
  /** All that can ever be contacted, also after a redirect. Empty where it is only where `location` says. */
  readonly hosts: readonly string[]
  /** Between two runs by itself; undefined where it is for commands alone. */
  readonly intervalMs: number | undefined
  readonly pace: Pace
  /** Of one answer, after decompression. */
  readonly maxBytes: number
  readonly settings: readonly SourceSetting[]
  /** Whether a work is recognized by title, year and medium where no id does. */
  readonly matchTitles: boolean
  /** Returns the state for the next run. Must be deterministic, as an interrupted run is resumed by giving it the answers it had. */
  requests(
    scope: Scope,
    state: SourceState,
    known: Known,
    settings: SourceSettings,
  ): Asking<Parsed, SourceState>
  /** Throws a `ShapeError` where the answer is not what the source is known to say. */
  read(as: string, body: AnswerBody, settings: SourceSettings): Promise<Parsed>
  /** The lines of all answers of a run, header first, in the order of the requests. */
  lines(
    answers: readonly Parsed[],
    known: Known,
    scope: Scope,
  ): Iterable<CatalogueLine> | AsyncIterable<CatalogueLine>
  /** What the report says beside the lines: about what no line can tell. */
  notes?(answers: readonly Parsed[]): Iterable<string>
}

/** The first line that a source gives; numbers of the namespaces `preserve_ids` become ids where they are free. */
export function headerOf(name: string, preserve_ids: readonly string[] = []): CatalogueLine {
  return { type: 'catalogue', version: 1, name, mode: 'upsert', preserve_ids }
}

/** Asks for the one file that the administrator has named. */
export function* askForFile(...accept: readonly string[]): Asking<unknown, SourceState> {
  yield { url: '', as: 'file', accept, isUnconditional: true }
  return {}
}

export type AnySource = Source<unknown>

/** The declaration, checked: the runner gives a source back only what its own `read` returned. */
export const defineSource = <Parsed>(source: Source<Parsed>): AnySource => source as AnySource

/** An answer that has not the known shape: nothing of the run is taken (exit 65). */
export class ShapeError extends Error {
  /** `where` such as `TitleItems[3].TID`, `rule` such as `must be a whole number`. */
  constructor(
    readonly where: string,
    readonly rule: string,
  ) {
    super(`${where} ${rule}`)
  }
}

/** An answer that says in its content, not by 401, that the token will not do: as without one (exit 78). */
export class TokenRefused extends Error {}

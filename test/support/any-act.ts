import type { Database } from 'bun:sqlite'
import fc from 'fast-check'
import type { Deps } from '../../src/deps'
import { notFound } from '../../src/http/errors'
import type { Act } from '../../src/library/acts/act'
import { chooseStatuses, markStatuses } from '../../src/library/acts/bulk-status'
import { deleteRecord, editRecord } from '../../src/library/acts/own-record-acts'
import { type PastTime, recordPast } from '../../src/library/acts/past-act'
import { rateWork, rateWorks } from '../../src/library/acts/rating-act'
import { recordEpisode, recordUpTo, recordUpToNumber, skipEpisode } from '../../src/library/acts/record-acts'
import { shareYear, unshareYear } from '../../src/library/acts/share-acts'
import { endOwnSlot, setOwnSlot, shiftOwnSlot } from '../../src/library/acts/slot-acts'
import { deleteViewing, editViewing, logViewing } from '../../src/library/acts/viewing-acts'
import { addNextEpisode, chooseStatus, startLap, writeNote } from '../../src/library/acts/work-acts'
import { writeAct } from '../../src/library/acts/write-act'
import { type PlayToWrite, writePlays } from '../../src/scrobble/write-plays'
import { dropComment, writeComment } from '../../src/social/comments/comment-acts'
import {
  blockPerson,
  followPerson,
  mutePerson,
  unblockPerson,
  unfollowPerson,
  unmutePerson,
} from '../../src/social/connection-acts'
import { addFavoriteWork, dropFavoriteWork, moveFavoriteWork } from '../../src/social/favorite-works'
import {
  addToList,
  copyList,
  dropList,
  editList,
  makeList,
  moveInList,
  noteInList,
  removeFromList,
} from '../../src/social/lists/list-acts'

/** Something a user does on a page; it may be refused. */
export type AnyAct = (deps: Deps, userId: number) => Promise<Act>

const episodeId = fc.constantFrom(1, 2, 3, 4, 6)
const workId = fc.constantFrom(1, 2, 3, 5, 10)
const nth = fc.nat(11)
const text = fc.constantFrom('', 'よかった', '🍥', undefined)
const ratingState = fc.constantFrom('good' as const, null, undefined)
const isPrivate = fc.constantFrom(undefined, true, false)
const watched = fc.constantFrom(undefined, { watched_at: 0, watched_at_precision: 'none' } as const)
const kinds = ['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching', 'no_select'] as const
const date = fc.constantFrom(undefined, null, '2016', '2016-03')

const act = <I>(
  doing: (deps: Deps, userId: number, input: I) => Promise<Act>,
  input: fc.Arbitrary<I>,
): fc.Arbitrary<AnyAct> =>
  input.map((chosen) => {
    const shown = { [fc.toStringMethod]: () => `${doing.name} ${JSON.stringify(chosen)}` }
    return Object.assign((deps: Deps, user: number) => doing(deps, user, chosen), shown)
  })

/** One of the caller's own rows, by position. */
const own =
  (table: 'records' | 'reviews' | 'comments' | 'lists', handle: () => Database) =>
  (userId: number, place: number): number => {
    const ids = handle()
      .query<{ id: number }, [number]>(`select id from ${table} where user_id = ? order by id`)
      .all(userId)
    return ids[place % ids.length]?.id ?? 999_999
  }

/** What a player reports, with activities or without. */
const play = (
  deps: Deps,
  userId: number,
  { workId, episode, daysAgo }: Omit<PlayToWrite, 'watched'> & { daysAgo: number },
): Promise<Act> =>
  writeAct(deps, userId, 'play', async (open) => {
    const watched = {
      watched_at: deps.now() - daysAgo * 86_400_000,
      watched_at_precision: 'time',
    } as const
    const effects = { setsStatus: true, isTold: workId % 2 === 0 }
    const { episodeId, ...written } = await writePlays(open, [{ workId, episode, watched }], effects)
    return { ...written, ...(episodeId !== undefined && { episodeId }) }
  })

export function anyAct(handle: () => Database): fc.Arbitrary<AnyAct> {
  const [record, review] = [own('records', handle), own('reviews', handle)]
  const comment = own('comments', handle)
  const edited = fc.record({ place: nth, ratingState, watched, isPrivate })
  return fc.oneof(
    act(recordEpisode, fc.record({ episodeId, comment: text, ratingState, watched, isPrivate })),
    act(recordUpTo, fc.record({ episodeId, watched, isPrivate })),
    act(recordUpToNumber, fc.record({ workId, number: fc.constantFrom(1, 2, 5, 9) })),
    act(skipEpisode, fc.record({ episodeId })),
    act(
      (deps, user, { place, comment, ...input }: { place: number; comment?: string | undefined }) =>
        editRecord(deps, user, { recordId: record(user, place), comment, ...input }),
      fc.tuple(edited, text).map(([input, comment]) => ({ ...input, comment })),
    ),
    act(
      (deps, user, { place }: { place: number }) =>
        deleteRecord(deps, user, { recordId: record(user, place) }),
      fc.record({ place: nth }),
    ),
    act(
      chooseStatus,
      fc.record({ workId, kind: fc.constantFrom(...kinds), startedOn: date, finishedOn: date, isPrivate }),
    ),
    act(
      chooseStatuses,
      fc.record({
        workIds: fc.uniqueArray(workId, { minLength: 1 }),
        kind: fc.constantFrom('watching' as const, 'watched' as const),
      }),
    ),
    act(
      markStatuses,
      fc.record({ workIds: fc.uniqueArray(workId, { minLength: 1 }), isPrivate: fc.boolean() }),
    ),
    act(
      rateWorks,
      fc.record({
        workIds: fc.uniqueArray(workId, { minLength: 1 }),
        ratingState: fc.constantFrom('good' as const, 'bad' as const),
      }),
    ),
    act(logViewing, fc.record({ workId: fc.constant(3), ratingState, body: text, watched, isPrivate })),
    act(
      (deps, user, { place, body, ...input }: { place: number; body?: string | undefined }) =>
        editViewing(deps, user, { reviewId: review(user, place), body, ...input }),
      fc.tuple(edited, text).map(([input, body]) => ({ ...input, body })),
    ),
    act(
      (deps, user, { place }: { place: number }) =>
        deleteViewing(deps, user, { reviewId: review(user, place) }),
      fc.record({ place: nth }),
    ),
    act(
      (deps, user, { name, id, body }: { name: 'record_id' | 'review_id'; id: number; body: string }) =>
        writeComment(deps, user, { on: { name, id }, body }),
      fc.record({
        name: fc.constantFrom('record_id' as const, 'review_id' as const),
        id: fc.constantFrom(1, 2, 3),
        body: fc.constantFrom('そうですね', '🍥'),
      }),
    ),
    act(
      (deps, user, { place }: { place: number }) =>
        dropComment(deps, user, { commentId: comment(user, place) }),
      fc.record({ place: nth }),
    ),
    ...listActs(own('lists', handle)),
    act(
      (deps, user, { at, ...share }: { at: number; period: string; audience: 'members' | 'public' }) =>
        shareYear(deps, user, { ...share, figures: { ...noYear, episodes: at }, picture: null }),
      fc.record({ at: fc.nat(2), period, audience: fc.constantFrom('members' as const, 'public' as const) }),
    ),
    act(unshareYear, fc.record({ period })),
    act(startLap, fc.record({ workId })),
    ...[followPerson, unfollowPerson, mutePerson, unmutePerson, blockPerson, unblockPerson].map((doing) =>
      act(async (deps, user, at: number) => {
        const others = handle()
          .query<{ id: number }, [number]>(
            'select id from users where id <> ? and disabled_at is null order by id limit 2',
          )
          .all(user)
        const other = others[at]?.id
        if (other === undefined) throw notFound('The user')
        return await doing(deps, user, other)
      }, fc.nat(1)),
    ),
    act(addFavoriteWork, fc.record({ workId: fc.constantFrom(1, 2, 3) })),
    act(dropFavoriteWork, fc.record({ workId: fc.constantFrom(1, 2, 3) })),
    act(
      moveFavoriteWork,
      fc.record({
        workId: fc.constantFrom(1, 2, 3),
        to: fc.constantFrom('earlier' as const, 'later' as const),
      }),
    ),
    act(rateWork, fc.record({ workId, ratingState: fc.constantFrom('good' as const, 'bad' as const, null) })),
    act(
      async (deps, user, asked: { workIds: readonly number[]; when: PastTime }) =>
        (await recordPast(deps, user, asked)).act,
      fc.record({
        workIds: fc.array(workId, { minLength: 1, maxLength: 3 }),
        when: fc.constantFrom<PastTime>('aired', 'year', { watched_at: 1, watched_at_precision: 'none' }),
      }),
    ),
    act(addNextEpisode, fc.record({ workId })),
    act(
      setOwnSlot,
      fc.record({ workId, weekday: fc.constantFrom(0, 5), minute: fc.constantFrom(1380, 1530) }),
    ),
    act(shiftOwnSlot, fc.record({ workId })),
    act(endOwnSlot, fc.record({ workId })),
    act(play, fc.record({ workId, episode: fc.constantFrom(1, 2, 4, 7, null), daysAgo: fc.nat(2000) })),
    act(writeNote, fc.record({ workId, text: fc.constantFrom('', '内緒', '🍥') })),
  )
}

const period = fc.constantFrom('2025', '2025-04')

const noYear = {
  ...{
    from: 24_300,
    until: 24_311,
    isRunning: false,
    films: 0,
    finished: 0,
    hours: 0,
    days: 0,
    dropped: 0,
    again: 0,
  },
  ...{ months: [], best: [], first: null, last: null, streak: null, busiest: null, studio: null },
  picture: null,
}

/** Often on the same few lists, so that acts and undos meet. */
function listActs(list: ReturnType<typeof own>): readonly fc.Arbitrary<AnyAct>[] {
  const name = fc.constantFrom('見返したい', '🍥')
  const visibility = fc.constantFrom(undefined, 'public' as const, 'private' as const)
  const isOrdered = fc.boolean()
  const fields = { name, text: text.map((one) => one ?? ''), visibility, isOrdered }
  const workIds = fc.uniqueArray(workId, { minLength: 1, maxLength: 3 })
  const onList = <I extends { place: number }>(
    doing: (deps: Deps, userId: number, input: Omit<I, 'place'> & { listId: number }) => Promise<Act>,
    input: fc.Arbitrary<I>,
  ) =>
    act((deps: Deps, user: number, { place, ...rest }: I) => {
      return doing(deps, user, { ...rest, listId: list(user, place) })
    }, input)
  const place = fc.nat(3)
  const to = fc.constantFrom('up' as const, 'down' as const, 'top' as const, 'bottom' as const, 2)
  return [
    act(makeList, fc.record({ ...fields, workIds })),
    onList(editList, fc.record({ place, ...fields })),
    onList(dropList, fc.record({ place })),
    onList(copyList, fc.record({ place, ...fields })),
    onList(addToList, fc.record({ place, workIds })),
    onList(removeFromList, fc.record({ place, workIds })),
    onList(moveInList, fc.record({ place, workId, to })),
    onList(noteInList, fc.record({ place, workId, text: fc.constantFrom('', '冬の夜に') })),
  ]
}

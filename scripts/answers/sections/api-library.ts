import type { Recorder } from '../recorder'
import { usernames } from '../seed'

const reads = [
  '/v1/me',
  '/v1/me/works?fields=id,status,watchers_count',
  '/v1/records?per_page=3&sort_id=desc',
  '/v1/activities?per_page=3&sort_id=desc',
  '/v1/me/notifications?per_page=5',
]
const states = ['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching', 'no_select']
const ratings = ['bad', 'average', 'good', 'great']

/** Writes a library for every user in a fixed order, reading after each step. */
export async function library(recorder: Recorder): Promise<void> {
  recorder.begin('library')
  const write = async (as: string, line: string, values: Readonly<Record<string, string>> = {}) => {
    const [method = '', target = ''] = line.split(' ')
    await recorder.ask({ method, target, as, ...formOf(values) })
  }
  for (const [u, as] of usernames.entries()) {
    for (const other of usernames.slice(u + 1, u + 3))
      await write(as, 'POST /v1/me/follows', { username: other })
    for (let n = 1; n <= 12; n += 1) {
      const work = knownId((n * (u + 1)) % 59)
      await write(as, 'POST /v1/me/statuses', { work_id: work, kind: states[(n + u) % 6] ?? '' })
      const rating = n % 3 === 0 ? { rating: String((n % 10) / 2) } : { rating_state: ratings[n % 4] ?? '' }
      const comment = n % 2 === 0 ? { comment: `感想 ${u}-${n}\n二行目 <b>` } : {}
      const episode = `${withEpisodes((n * 3 + u) % 59)}1`
      await write(as, 'POST /v1/me/records', { episode_id: episode, ...rating, ...comment })
      if (n % 3 === 0)
        await write(as, 'POST /v1/me/reviews', {
          work_id: work,
          body: `本文 ${u}-${n}`,
          title: n % 2 === 0 ? '題' : '',
          rating_overall_state: ratings[n % 4] ?? '',
        })
      await write(
        as,
        'POST /v1/me/likes',
        n % 4 === 0 ? { review_id: String(n) } : { record_id: String(n + u) },
      )
    }
    await write(as, 'POST /v1/me/records/bulk', { episode_ids: '21,22,23', rating_state: 'good' })
    await write(as, 'POST /v1/me/channels', { channel_id: knownId(u + 1) })
    await write(as, 'POST /v1/me/favorites', { character_id: '1' })
    await write(as, 'POST /v1/me/favorites', { person_id: knownId(u + 1) })
    await write(as, 'POST /v1/me/favorites', { organization_id: '2' })
    for (const target of reads) await recorder.ask({ target, as })
  }
  for (const [line, values] of changes) {
    await write('mio', line, values)
    for (const target of reads) await recorder.ask({ target, as: 'mio' })
    await recorder.ask({ target: '/v1/me/notifications?per_page=3', as: 'ritsu' })
  }
}

/** Every fourth row of the pack has no id that the instance preserves; every tenth work has no episodes. */
const knownId = (n: number) => String(n % 4 === 0 ? n + 1 : n)
const withEpisodes = (n: number) => (n % 10 === 0 ? n + 1 : n)

const changes: readonly (readonly [line: string, values?: Readonly<Record<string, string>>])[] = [
  ['PATCH /v1/me/records/1', { comment: '変更' }],
  ['PATCH /v1/me/records/1', { comment: '' }],
  ['PUT /v1/me/records/2', { rating: '2.5' }],
  ['PATCH /v1/me/records/2', { rating_state: '', rating: '' }],
  ['PATCH /v1/me/records/20', { comment: 'somebody else’s' }],
  ['PATCH /v1/me/reviews/1', { body: '変更した本文', title: '題' }],
  ['PUT /v1/me/reviews/1', { body: 'もう一度', rating_music_state: 'bad' }],
  ['PATCH /v1/me/reviews/1', { title: 'no body' }],
  ['DELETE /v1/me/records/3'],
  ['DELETE /v1/me/records/3'],
  ['DELETE /v1/me/records/20'],
  ['DELETE /v1/me/reviews/2'],
  ['POST /v1/me/records/bulk', { episode_ids: '31,32,31' }],
  ['POST /v1/me/records/bulk', { episode_ids: '31,777777' }],
  ['POST /v1/me/statuses', { work_id: '1', kind: 'watching' }],
  ['POST /v1/me/statuses', { work_id: '1', kind: 'watching' }],
  ['POST /v1/me/statuses', { work_id: '1', kind: 'no_select' }],
  ['POST /v1/me/statuses', { work_id: '777777', kind: 'watched' }],
  ['POST /v1/me/likes', { record_id: '14' }],
  ['POST /v1/me/likes', { record_id: '14' }],
  ['DELETE /v1/me/likes', { record_id: '14' }],
  ['DELETE /v1/me/likes', { record_id: '14' }],
  ['POST /v1/me/likes', { record_id: '14', review_id: '5' }],
  ['POST /v1/me/follows', { username: 'mio' }],
  ['POST /v1/me/follows', { username: 'NODOKA' }],
  ['DELETE /v1/me/follows', { username: 'nodoka' }],
  ['POST /v1/me/mutes', { username: 'ritsu' }],
  ['DELETE /v1/me/mutes', { username: 'ritsu' }],
  ['POST /v1/me/mutes', { username: 'mio' }],
  ['DELETE /v1/me/channels', { channel_id: '1' }],
  ['DELETE /v1/me/favorites', { character_id: '1' }],
  ['POST /v1/me/notifications/read'],
]

const formOf = (values: Readonly<Record<string, string>>) =>
  Object.keys(values).length === 0
    ? {}
    : {
        body: new URLSearchParams(values).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }

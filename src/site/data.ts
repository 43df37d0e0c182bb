import { exportUser } from '../accounts/export'
import { jsonHeaders } from '../http/errors'
import { isoTime } from '../lib/time'
import { html } from '../pages/html'
import { recent } from '../web/access'
import { defineAction } from '../web/form'
import { buttonForm } from '../web/form-markup'
import { definePage } from '../web/page'

/** GET /settings/data */
export const data = definePage({
  path: '/settings/data',
  access: recent,
  show: (visit) => {
    const { say } = visit.look
    const title = say('Download your data', 'データのダウンロード')
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <p>${say(
          'One JSON file with everything that is kept of you: your profile, records, reviews, statuses, activities, favorites, channels, whom you follow and mute and who follows you, likes, notifications, applications, tokens (not the tokens themselves), sessions and invitations.',
          'あなたについて保存されているすべてのデータを、1つの JSON ファイルでダウンロードできます。プロフィール、記録、レビュー、ステータス、アクティビティ、お気に入り、チャンネル、フォロー、フォロワー、ミュート、いいね、通知、アプリケーション、トークンの説明（トークン自体は含みません）、ログイン中のブラウザー、招待が含まれます。',
        )}</p>
        ${buttonForm(visit, '/settings/data/download', say('Download', 'ダウンロード'))}`,
    }
  },
})

/** POST /settings/data/download: a button, so that no other site can make a browser ask for it. */
export const downloadData = defineAction({
  path: '/settings/data/download',
  access: recent,
  run: (visit) => {
    const { deps, session, arrival } = visit
    deps.log('data_downloaded', { id: arrival.id, user: session.userId })
    const name = `kiroku-${session.username}-${isoTime(deps.now()).slice(0, 10)}.json`
    const headers = {
      ...jsonHeaders,
      'Content-Disposition': `attachment; filename="${name}"`,
    }
    return new Response(streamOf(exportUser(deps, session.userId)), { headers })
  },
})

/** A body that is made as fast as it is taken. */
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await pieces.return(undefined)
    },
  })
}

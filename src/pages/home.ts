import { version } from '../version'
import { html } from './html'
import type { Look, Shown } from './layout'

/** The first page: what this is, what it holds, where to go from here. */
export const homePage = (
  { say, basePath }: Look,
  held: { works: number; episodes: number; users: number },
): Shown => ({
  title: 'kiroku',
  main: html`
      <h1>${say('A viewing log for anime', 'アニメの視聴記録')}</h1>
      <p>${say(
        `This instance of kiroku ${version} keeps its own catalogue and what its people watch.`,
        `kiroku ${version} のインスタンスです。作品のカタログと、みんなの視聴記録を保管しています。`,
      )}</p>
      <dl class="figures">
        <div><dt>${say('Works', '作品')}</dt><dd>${grouped(held.works)}</dd></div>
        <div><dt>${say('Episodes', 'エピソード')}</dt><dd>${grouped(held.episodes)}</dd></div>
        <div><dt>${say('Users', 'ユーザー')}</dt><dd>${grouped(held.users)}</dd></div>
      </dl>
      <p>${say('Clients speak to it through the', 'クライアントは')}
        <a href="${basePath}/docs">REST API</a>${say(
          ', which takes the requests that Annict’s v1 takes.',
          ' を使います。Annict の v1 と同じリクエストを受け付けます。',
        )}</p>`,
})

const grouped = (count: number) => count.toLocaleString('en')

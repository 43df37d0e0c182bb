import { onlyByPost } from '../graphql/only-by-post'
import { html } from '../pages/html'
import type { PageContent } from '../pages/layout'
import { definePage, member, type PageRoute } from '../web/page'
import { AnswerInstead } from '../web/problem'
import type { MemberVisit, Visit } from '../web/visit'

export const graphiqlAssetPaths = {
  script: '/docs/assets/graphiql.js',
  style: '/docs/assets/graphiql.css',
}

/**
 * GraphiQL, for signed-in readers in a browser. The session does not authenticate its queries, since other
 * sites could make a browser send them: the reader pastes a token, so there is only one way into the API.
 */
export const graphiqlPage: PageRoute = definePage({ path: '/graphql', access: reader, show: graphiql })

/** API clients are told how to send queries. */
function reader(visit: Visit): MemberVisit {
  if (visit.request.headers.get('accept')?.includes('text/html')) return member(visit)
  throw new AnswerInstead(onlyByPost())
}

function graphiql({ deps, t, basePath }: MemberVisit): PageContent {
  const nonce = Buffer.from(deps.random(16)).toString('base64')
  const { title } = t.graphiql
  return {
    title,
    isWide: true,
    styles: [`'nonce-${nonce}'`],
    head: html`<link rel="stylesheet" href="${basePath}${graphiqlAssetPaths.style}" />
    <script src="${basePath}${graphiqlAssetPaths.script}" type="module" nonce="${nonce}"></script>`,
    main: html`
      <h1>${title}</h1>
      <p>${t.graphiql.explained}</p>
      <noscript><p class="notice">${t.graphiql.needsScript}</p></noscript>
      <div class="field">
        <label for="graphql-token">${t.graphiql.token}</label>
        <input id="graphql-token" type="password" autocomplete="off" spellcheck="false" aria-describedby="graphql-token-hint" />
        <p class="hint" id="graphql-token-hint">${t.graphiql.tokenHint}
        <a href="${basePath}/settings/tokens" target="_blank">${t.tokens.title}</a></p>
      </div>
      <div id="graphiql" lang="en" data-endpoint="${basePath}/graphql" data-query="${t.graphiql.firstQuery}" data-needs-token="${t.graphiql.needsToken}"></div>`,
  }
}

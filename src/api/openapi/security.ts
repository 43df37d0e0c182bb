import type { Config } from '../../config'

/** The ways a token is sent (D30) and, with the flows that OAuth has, come by; by their names in the document. */
export const tokenSchemes = ({ queryTokens }: Pick<Config, 'queryTokens'>, flows: object) => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token, in the Authorization header',
  },
  ...(queryTokens && {
    access_token: {
      type: 'apiKey',
      in: 'query',
      name: 'access_token',
      description:
        'An access token, in the query of any operation instead of the header; in a body it goes by this name too. ' +
        'Never in two places at once, so generated clients and the documentation page send the header alone',
    },
  }),
  oauth2: { type: 'oauth2', description: 'An access token that an application was given', flows },
})

/**
 * What an operation that takes a token asks for. `access_token` stands at the top of the document alone: programs made
 * by generators send a token in every way that an operation names, which is refused (D30).
 */
export const tokenSecurity = (scopes: readonly string[]) => [{ bearer: scopes }, { oauth2: scopes }]

/** What the document says at its top, before its operations say which scope they take. */
export const anySecurity = ({ queryTokens }: Pick<Config, 'queryTokens'>) => [
  { bearer: [] },
  ...(queryTokens ? [{ access_token: [] }] : []),
]

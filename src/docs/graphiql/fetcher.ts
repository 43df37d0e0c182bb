import type { GraphiQLProps } from 'graphiql'
import type { Told } from './page'

/** Queries the API with the reader's token, like any other client. */
export const askWith =
  (token: string, { endpoint, needsToken }: Told): GraphiQLProps['fetcher'] =>
  async (operation) => {
    if (token === '') return { errors: [{ message: needsToken }] }
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(operation),
    })
    return response.json()
  }

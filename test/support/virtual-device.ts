import type { Page } from 'playwright-core'

/** A device of Chromium's that holds passkeys and agrees to everything; one at a time. */
export async function withDevice(page: Page, { verifies = true, transport = 'internal' } = {}) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable', { enableUI: false })
  const options = {
    ...{ protocol: 'ctap2', transport, hasResidentKey: true, hasUserVerification: verifies },
    ...{ isUserVerified: verifies, automaticPresenceSimulation: true },
  } as const
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', { options } as never)
  return {
    credentials: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    remove: async () => await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}

/** The button of the form that asks the device. */
export const buttonOf = (act: string) => `form[data-act="${act}"] button`

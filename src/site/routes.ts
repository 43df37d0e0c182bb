import { errorsPath } from '../http/errors'
import { aboutDataPage, aboutPage } from '../pages/about-data'
import { errorsPage } from '../pages/errors'
import { keysPage } from '../pages/keys'
import { anyone, below, definePage, type PageRoute } from '../web/page'
import { connectedApplications } from './account/applications'
import { addBrowserAction } from './account/browser'
import { channels } from './account/channels'
import { accountDeleted, deleteAccount } from './account/delete-account'
import { destinationPages } from './account/destinations'
import { display } from './account/display'
import { email } from './account/email'
import { exportRoutes } from './account/export'
import { calendarFeeds } from './account/feeds'
import { languageAndTime } from './account/language-and-time'
import { notificationSettingsPage } from './account/notifications'
import { passkeys } from './account/passkeys'
import { password } from './account/password'
import { playerForms } from './account/players'
import { privacyRoutes } from './account/privacy'
import { profile } from './account/profile'
import { providerSettings } from './account/providers'
import { sessions } from './account/sessions'
import { settings } from './account/settings'
import { signIns } from './account/sign-ins'
import { tokens } from './account/tokens'
import { turnOffTwoStep, twoStep } from './account/two-step/two-step'
import { renewCodes } from './account/two-step/two-step-codes'
import { setUpTwoStep } from './account/two-step/two-step-set-up'
import { unsubscribe } from './account/unsubscribe'
import { admin } from './admin/admin'
import { adminInstance } from './admin/instance'
import { invitations } from './admin/invitations'
import { joinRequests } from './admin/join-requests'
import { moderationLog } from './admin/log'
import { reports } from './admin/reports'
import { adminUser, adminUserActions } from './admin/user'
import { adminUsers } from './admin/users'
import { applications } from './applications/applications'
import { applicationChanges } from './applications/change'
import { createApplication, newApplication } from './applications/new'
import { showApplication } from './applications/show'
import { contacts } from './catalogue/contacts'
import { catalogueRoutes } from './catalogue/routes'
import { declaredSources } from './catalogue/source-text'
import { deviceRoutes } from './device'
import { language } from './language'
import { confirm } from './sign-in/confirm'
import { signInKept } from './sign-in/kept-form'
import { newAccount } from './sign-in/new-account'
import { passkeySignIn } from './sign-in/passkey-sign-in'
import { providerRoutes } from './sign-in/provider'
import { reset, resetRequest } from './sign-in/reset-password'
import { setup } from './sign-in/setup'
import { signIn, signOut } from './sign-in/sign-in'
import { signInCode } from './sign-in/sign-in-code'
import { signInLink } from './sign-in/sign-in-link'
import { signUp, signUpAtAddress } from './sign-in/sign-up'
import { signedOut } from './sign-in/signed-out'

const publicPages: readonly PageRoute[] = [
  definePage({ path: '/about', access: anyone, show: aboutPage }),
  definePage({
    path: '/about/data',
    access: anyone,
    // Includes the attribution that the data's licences require.
    show: async (visit) => aboutDataPage(visit, contacts(visit, await declaredSources(), visit.deps.config)),
  }),
  definePage({ path: errorsPath, access: anyone, show: errorsPage }),
  definePage({ path: '/keys', access: anyone, show: keysPage }),
]

export const siteRoutes: readonly PageRoute[] = [
  ...publicPages,
  ...language,
  ...setup,
  ...signUp,
  ...signUpAtAddress,
  ...signIn,
  signInKept,
  passkeySignIn,
  ...signInCode,
  ...signInLink,
  ...providerRoutes,
  ...newAccount,
  signOut,
  signedOut,
  ...confirm,
  ...resetRequest,
  ...reset,
  settings,
  ...below({ path: '/settings', name: (t) => t.settings.title, place: 'me' }, [
    ...profile,
    ...privacyRoutes,
    ...languageAndTime,
    ...display,
    ...channels,
    ...password,
    ...passkeys,
    ...email,
    ...twoStep,
    ...setUpTwoStep,
    ...renewCodes,
    ...turnOffTwoStep,
    ...sessions,
    ...signIns,
    ...providerSettings,
    ...exportRoutes,
    ...deleteAccount,
    ...tokens,
    ...calendarFeeds,
    ...notificationSettingsPage,
    addBrowserAction,
    ...unsubscribe,
    ...destinationPages,
    ...connectedApplications,
    applications,
    ...newApplication,
    ...createApplication,
    showApplication,
    ...applicationChanges,
  ]),
  ...playerForms,
  accountDeleted,
  admin,
  adminUsers,
  ...below({ path: '/admin/users', name: (t) => t.users.title }, [
    adminUser,
    ...adminUserActions,
    ...joinRequests,
  ]),
  ...reports,
  ...moderationLog,
  ...invitations,
  ...adminInstance,
  ...catalogueRoutes,
  ...deviceRoutes,
]

import { below } from '../web/back'
import type { PageRoute } from '../web/page'
import { revokeGrant, settingsApplications } from './account/applications'
import { channels } from './account/channels'
import { accountDeleted, deleteAccount } from './account/delete-account'
import { display } from './account/display'
import { email, emailConfirmation } from './account/email'
import { downloadExport, exportPage, exportPageOfOld } from './account/export'
import { languageAndTime } from './account/language-and-time'
import { password } from './account/password'
import { profile } from './account/profile'
import { endOtherSessions, endSession, sessions } from './account/sessions'
import { settings } from './account/settings'
import { revokeMyToken, settingsTokens } from './account/tokens'
import { startTwoStep, twoStep } from './account/two-step'
import { renewCodes } from './account/two-step-codes'
import { turnOffTwoStep } from './account/two-step-off'
import { setUpTwoStep } from './account/two-step-set-up'
import { admin } from './admin/admin'
import { adminInvitations, withdraw } from './admin/invitations'
import { adminUser } from './admin/user'
import { adminUserActions } from './admin/user-actions'
import { adminUsers } from './admin/users'
import { applications } from './applications/applications'
import {
  editApplication,
  removeApplication,
  revokeApplicationTokens,
  rotateApplication,
} from './applications/change'
import { createApplication, newApplication } from './applications/new'
import { showApplication } from './applications/show'
import { catalogueRoutes } from './catalogue/routes'
import { decideOnDevice, enterDeviceCode } from './device'
import { language } from './language'
import { about, aboutData, errors, keys } from './public'
import { confirm } from './sign-in/confirm'
import { reset, resetRequest } from './sign-in/reset-password'
import { setup } from './sign-in/setup'
import { signIn } from './sign-in/sign-in'
import { signInCode } from './sign-in/sign-in-code'
import { signOut } from './sign-in/sign-out'
import { signUp, signUpAtAddress } from './sign-in/sign-up'

export const siteRoutes: readonly PageRoute[] = [
  about,
  aboutData,
  errors,
  keys,
  ...language,
  ...setup,
  ...signUp,
  ...signUpAtAddress,
  ...signIn,
  ...signInCode,
  signOut,
  ...confirm,
  ...resetRequest,
  ...reset,
  settings,
  ...below({ path: '/settings', name: (t) => t.settings.title, place: 'me' }, [
    ...profile,
    ...languageAndTime,
    ...display,
    ...channels,
    ...password,
    ...email,
    ...emailConfirmation,
    twoStep,
    startTwoStep,
    ...setUpTwoStep,
    ...renewCodes,
    ...turnOffTwoStep,
    sessions,
    endSession,
    endOtherSessions,
    exportPage,
    exportPageOfOld,
    downloadExport,
    ...deleteAccount,
    ...settingsTokens,
    ...revokeMyToken,
    settingsApplications,
    ...revokeGrant,
    applications,
    ...newApplication,
    ...createApplication,
    showApplication,
    ...editApplication,
    ...rotateApplication,
    ...revokeApplicationTokens,
    ...removeApplication,
  ]),
  accountDeleted,
  admin,
  ...below({ path: '/admin', name: (t) => t.admin.title }, [
    adminUsers,
    adminUser,
    ...adminUserActions,
    ...adminInvitations,
    ...withdraw,
  ]),
  ...catalogueRoutes,
  ...enterDeviceCode,
  decideOnDevice,
]

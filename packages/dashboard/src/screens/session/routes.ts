import { screen } from '../screen';

export const logIn = screen({
  path: '/login',
  search: ['next', 'ended'],
  file: () => import('./log-in'),
  component: 'LogIn',
});

export const signUp = screen({
  path: '/signup',
  search: ['next'],
  file: () => import('./sign-up'),
  component: 'SignUp',
});

export const join = screen({
  path: '/join',
  search: ['token'],
  words: ['join'],
  file: () => import('./join'),
  component: 'Join',
});

export const forgotPassword = screen({
  path: '/forgot-password',
  file: () => import('./forgot-password'),
  component: 'ForgotPassword',
});

import { loadProgram } from '#app/start/bundle';

loadProgram().run();

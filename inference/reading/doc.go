// Package reading decides which document each of a picture is and what it says: it reads each as what it may be, lying as it may, the
// likeliest first, until its print proves one or nothing is left to try.
package reading
